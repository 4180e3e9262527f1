"""One file per algorithm. Solvers take arrays or types of the vocabulary, and depend on no game and no file format."""
