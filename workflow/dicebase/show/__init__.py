"""Tables for people: text, cards, pictures, report, explorer and HTTP."""
