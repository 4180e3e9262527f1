"""Pictures of strategies, made from the published tables alone: one function a kind (kinds.py), a list of what is drawn
(gallery.py), and what draws it (draw.py)."""
