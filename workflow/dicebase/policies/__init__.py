"""Policies of people and files, evaluated exactly."""

from dicebase.policies.evaluation import evaluate, habits, mistakes, report, respond, response

__all__ = ["evaluate", "habits", "mistakes", "report", "respond", "response"]
