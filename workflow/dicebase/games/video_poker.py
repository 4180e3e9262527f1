"""Video poker: you are dealt five cards, hold any of them, and the machine replaces the others once.

The replacements come from the 47 cards that are left. The pay table says how many coins the final hand is paid per coin
bet. Without wild cards the machine pays the highest rank of the hand, even if the pay table gives a lower one more.
With deuces wild each deuce stands for any card, and the machine pays the rank of the hand that pays most. A pay table
may be for a shorter deck, with fewer ranks.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import (
    NOTHING,
    RANKS,
    Definition,
    Draw,
    check_line,
    check_whole,
    nearest,
    need,
    parameter,
    shown,
)

PAIRS = {
    "tens_or_better": "TJQKA",
    "jacks_or_better": "JQKA",
    "queens_or_better": "QKA",
    "kings_or_better": "KA",
    "pair_of_aces": "A",
}
LOW = "A234"  # the kickers that raise the pay of four aces, 2s, 3s or 4s
FOURS = ("four_aces_with_kicker", "four_aces", "four_2_to_4_with_kicker", "four_2_to_4", "four_of_a_kind")
COMMON = ("full_house", "flush", "straight", "three_of_a_kind")
PLAIN = ("royal_flush", "straight_flush", *FOURS, *COMMON, "two_pair", *PAIRS)
WILD = ("natural_royal", "four_deuces", "wild_royal", "five_of_a_kind", "straight_flush", "four_of_a_kind", *COMMON)
RUNS = [{*run} for run in ("A2345", *(RANKS[i : i + 5] for i in range(9)))]


@dataclass(frozen=True)
class Rules(Draw):
    """A machine with a pay table, with or without wild deuces."""

    pays: Definition = parameter("jacks_or_better_9_6", "pay table, in coins per coin bet", defined=True)

    title = "Video poker"
    citation = "M. Shackleford, Video Poker, wizardofodds.com/games/video-poker"

    @property
    def _wild(self) -> bool:
        wild = self._content.get("wild", "deuces")
        need(wild == "deuces", f"pays '{self.pays}'.wild: {shown(wild)} is not deuces, the only wild cards")
        return "wild" in self._content

    @property
    def ranks(self) -> str:
        ranks = str(self._content.get("ranks", RANKS))
        made = ranks in RANKS and len(ranks) >= 5
        need(made, f"pays '{self.pays}'.ranks: {shown(ranks)} is not five or more neighbours in {RANKS}")
        return ranks

    @property
    def payouts(self) -> dict[str, int]:
        of = f"pays '{self.pays}'"
        known, content = WILD if self._wild else PLAIN, self._content
        for name, coins in content.items():
            if name in ("label", "source", "ranks"):
                check_line(f"{of}.{name}", coins)
            elif name == "wild":
                continue
            elif name not in known:
                need(False, f"{of}: {shown(name)} is not a rank of a hand{nearest(str(name), known)}")
            else:
                check_whole(f"{of}.{name}", coins, 0, 100_000)
        needed = [name for name in known if name not in PAIRS and (name not in FOURS or name == FOURS[-1])]
        for name in needed:
            need(name in content, f"{of}: '{name}' is missing; it needs {', '.join(needed)}")
        need(self._wild or sum(name in content for name in PAIRS) == 1, f"{of}: needs one of {', '.join(PAIRS)}")
        return {name: content[name] for name in known if name in content} | {NOTHING: 0}

    @property
    def _content(self) -> dict:
        content = self.pays.content
        need(isinstance(content, dict), f"pays '{self.pays}': {shown(content)} is not a pay table: rank: coins")
        return content

    @property
    def _by_cards(self) -> dict[tuple[str, bool], str]:
        """The ranks found so far; a property of rules is computed only once."""
        return {}

    def rank(self, hand: tuple[tuple[str, str], ...]) -> str:
        natural = [card for card in hand if not (self._wild and card[0] == "2")]
        ranks, suited = "".join(rank for rank, _ in natural), len({suit for _, suit in natural}) <= 1
        if (ranks, suited) not in self._by_cards:
            found = [rank for rank in _ranks(ranks, suited, self._wild) if rank in self.payouts] or [NOTHING]
            self._by_cards[ranks, suited] = max(found, key=self.payouts.get) if self._wild else found[0]
        return self._by_cards[ranks, suited]


def _ranks(ranks: str, suited: bool, wild: bool) -> Iterator[str]:
    """Yield the ranks of a hand, highest first. `ranks` has the cards that are not wild, `suited` says whether they are
    of one suit."""
    jokers = 5 - len(ranks)
    (top, most), (other, second) = (*Counter(ranks).most_common(2), ("", 0), ("", 0))[:2]
    straight = len({*ranks}) == len(ranks) and any({*ranks} <= run for run in RUNS)
    if straight and suited and {*ranks} <= {*"TJQKA"}:
        yield ("wild_royal" if jokers else "natural_royal") if wild else "royal_flush"
    if jokers == 4:
        yield "four_deuces"
    if most + jokers == 5:
        yield "five_of_a_kind"
    if straight and suited:
        yield "straight_flush"
    if most + jokers >= 4:
        four = "four_aces" if top == "A" else "four_2_to_4" if top in LOW else ""
        yield from ([f"{four}_with_kicker"] if four and other in LOW else []) + [four, "four_of_a_kind"]
    if most <= 3 and most + second + jokers == 5:
        yield "full_house"
    if suited:
        yield "flush"
    if straight:
        yield "straight"
    if most + jokers >= 3:
        yield "three_of_a_kind"
    if most == second == 2:
        yield "two_pair"
    if most >= 2:
        yield from (name for name, high in PAIRS.items() if top in high)
