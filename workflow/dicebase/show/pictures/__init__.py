"""Pictures of strategies, drawn from the published tables: kinds.py has one function per kind, listed/gallery.toml the
list of pictures, draw.py draws them."""
