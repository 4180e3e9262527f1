"""Exact evaluation of policies: named ones, formulas, and users' own in files or frames."""

from dicebase.policies.evaluation import evaluate, habits, mistakes, report, respond, response
from dicebase.policies.grading import grade
from dicebase.policies.profile import profile

__all__ = ["evaluate", "grade", "habits", "mistakes", "profile", "report", "respond", "response"]
