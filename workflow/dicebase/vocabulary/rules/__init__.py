"""The kinds of rules: base classes of the class `Rules` of a rules file, and how each kind plays."""
