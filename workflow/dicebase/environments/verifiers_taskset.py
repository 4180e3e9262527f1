"""Positions of a table as tasks of verifiers: a position in words, an answer in words, reward 1 - regret / range.

The module `dicebase_positions` makes it known to verifiers as the taskset `dicebase-positions`.
"""

import re
from collections.abc import Iterator, Mapping

import numpy as np
import verifiers.v1 as vf

from dicebase.catalog.lookup import Catalog
from dicebase.environments.game import SolvedGame, solved_game
from dicebase.vocabulary import Json, pairs, words

NAME = "dicebase-positions"
ANSWER = re.compile(r"answer:\s*(.+)", re.IGNORECASE)


class PositionData(vf.TaskData):
    """A position; `answers` are its legal actions in the order of the rules."""

    table: str
    results: str
    parameters: str
    position: str
    answers: list[str]


class PositionTask(vf.Task[PositionData]):
    """Choose an action at a position. The last line `Answer: ACTION` of a reply counts, or else the whole reply."""

    @vf.reward
    async def optimality(self, trace: vf.Trace) -> float:
        """Return 1 - regret / range: 1 for an optimal action, 0 for the worst one and for an illegal answer."""
        return rewarded(_game(self.data), self.data.position, trace.last_reply)

    @vf.metric
    async def regret(self, trace: vf.Trace) -> float:
        """Return the regret in the unit of the table; NaN for an illegal answer."""
        action = answered(trace.last_reply, self.data.answers)
        return float("nan") if action is None else _game(self.data).regret(self.data.position, action)


class PositionsConfig(vf.TasksetConfig):
    """`parameters` are words such as "sides=6 dice=1"; `count` is the number of positions."""

    table: str = "pig_turn"
    results: str = "results"
    parameters: str = ""
    count: int = 100


class Positions(vf.Taskset[PositionTask, PositionsConfig]):
    """The fixed sample of positions of a table (SolvedGame.sample)."""

    def load(self) -> Iterator[PositionTask]:
        config = self.config
        game = solved_game(config.table, config.results, **pairs(config.parameters.split(), config.table))
        with Catalog(config.results) as catalog:
            about = catalog.describe(config.table)
        for position in game.sample(config.count):
            answers = [game.actions[n] for n in game.legal(game.state(position))]
            given = {"table": config.table, "results": config.results, "parameters": words(game.parameters)}
            prompt = in_words(game, about, game.state(position), answers)
            yield PositionTask(PositionData(prompt=prompt, position=position, answers=answers, **given), config.task)


def load(table: str, results: str, count: int, parameters: Mapping[str, int | str]) -> vf.Env:
    """Return an environment over the sample of a table, played by a model without tools."""
    given = {"table": table, "results": str(results), "parameters": words(parameters), "count": count}
    agent = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
    return vf.load_environment(vf.SingleAgentEnvConfig(taskset={"id": NAME, **given}, agent=agent))


def in_words(game: SolvedGame, about: Json, state: int, answers: list[str]) -> str:
    """Return the question that a position asks, with the rules and the legal actions."""
    columns = {c["name"]: c["description"] for c in about["columns"]}
    values = {name: x for name, x in game.described(state).items() if x != ""}
    position = "\n".join(f"- {name} ({columns.get(name, 'dice as they fell')}): {x}" for name, x in values.items())
    return (
        f"{' '.join(about['rules'])}\nParameters: {words(game.parameters) or 'none'}\nThe position:\n{position}\n"
        f"The legal actions: {', '.join(answers)}\n"
        f"Which action is best for the player to move? It is judged by the {about['value_is']}. "
        "End with a line `Answer: ACTION`."
    )


def answered(reply: str, answers: list[str]) -> str | None:
    """Return the legal action that a reply gives, whatever its case, or None."""
    said = (ANSWER.findall(reply) or [reply])[-1].strip(" \t\n.`*\"'").casefold()
    return next((action for action in answers if action.casefold() == said), None)


def rewarded(game: SolvedGame, position: str, reply: str) -> float:
    """Return 1 - regret / range of the action that a reply gives, or 0 if it gives no legal one."""
    state = game.state(position)
    action = answered(reply, [game.actions[n] for n in game.legal(state)])
    if action is None:
        return 0.0
    worst = float(np.max(game.regrets[game.first[state] : game.first[state + 1]]))
    return 1.0 - game.regret(state, action) / worst if worst > 0 else 1.0


def _game(data: PositionData) -> SolvedGame:
    return solved_game(data.table, data.results, **pairs(data.parameters.split(), data.table))
