"""One file an algorithm. Solvers see arrays or the vocabulary: no game, no Parquet."""
