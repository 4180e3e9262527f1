"""Tables for people: text, pictures, report, generated pages, exports, the explorer, HTTP."""
