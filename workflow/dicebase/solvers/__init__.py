"""One file per algorithm. Solvers see arrays or the vocabulary; they know no game and no file format."""
