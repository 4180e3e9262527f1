"""Tables for people: text, pictures, report, dictionary, the explorer, HTTP."""
