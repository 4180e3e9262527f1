"""From the configuration to the files: plan, keys, costs, and the jobs behind the rules."""
