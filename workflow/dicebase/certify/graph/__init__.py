"""The positions that play reaches, as a graph of numbered states, and error bounds from one step along it."""
