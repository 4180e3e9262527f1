"""Policies of people and files, evaluated exactly."""

from dicebase.policies.evaluation import evaluate as evaluate
from dicebase.policies.evaluation import habits as habits
from dicebase.policies.evaluation import mistakes as mistakes
from dicebase.policies.evaluation import report as report
from dicebase.policies.evaluation import respond as respond
from dicebase.policies.evaluation import response as response
