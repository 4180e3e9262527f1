"""Pictures of strategies, made from the published tables alone: one function a kind (kinds.py), a list of what is drawn
(listed/gallery.toml), and what draws it (draw.py)."""
