// Convert a rule set, as the configuration has it, to the rolls of a turn: scores, and dice that may be kept. A port of
// the rules file, for cards that are edited in the page; test_own_card.py compares them roll by roll.

import { multisets } from "./play_sheets.js";

const KNOWN = ["dice", "combinations", "faces", "label", "source", "of_a_kind", "keep", "hot_dice", "least_bank",
  "opening", "lost_in_row", "target", "last_turn"]; // the last four are nothing to a turn for its own sake
const PATTERN = /^(a+(b+(c+(d+(e+f*)?)?)?)?|straight|nothing|nothing_first|(?=.)1*2*3*4*5*6*)$/;
const OTHERS = ["straight", "nothing", "nothing_first"];
const FACES = [..."123456"];

/** {stop, keeps, period, modes, rolls, least, must} (show/explorer/dice.py) of a card; throws what is wrong with it. */
export function turnOf(card, switches) {
  check(card, switches);
  const points = scores(card);
  const first = card.combinations.nothing_first ? [0] : [];
  const modes = [...first, ...Array.from({ length: card.dice }, (_, i) => card.dice - i)];
  const rolls = [modes.map((mode) => rollsOf(card, points, mode))];
  const must = card.hot_dice === "forced" ? [card.dice] : [];
  const { least_bank: least = 0, opening = 0 } = card;
  return { stop: "bank", keeps: true, period: 1, modes, rolls, least: [Math.max(1, least), Math.max(1, least, opening)], must };
}

function check(card, switches) {
  const whole = (name, value, low, high) => {
    if (!Number.isInteger(value) || value < low || value > high)
      throw new Error(`${name}: ${value} is not a whole number from ${low} to ${high}`);
  };
  if (typeof card !== "object" || !card || typeof card.combinations !== "object" || !card.combinations)
    throw new Error("a card needs dice and combinations");
  for (const name of Object.keys(card)) if (!KNOWN.includes(name)) throw new Error(`this page does not know ${name}`);
  whole("dice", card.dice, 1, 6);
  for (const [name, choices] of Object.entries(switches)) {
    if (typeof choices === "string") whole(name, card[name] ?? 0, 0, 10_000);
    else if (name in card && !(card[name] in choices)) throw new Error(`${name}: ${card[name]} is no choice`);
  }
  for (const [text, points] of Object.entries(card.combinations)) {
    if (!PATTERN.test(text)) throw new Error(`${text} is not a combination: dice such as 222, or a pattern such as aabbcc`);
    if (text.length > card.dice && !OTHERS.includes(text))
      throw new Error(`${text} needs more than ${card.dice} dice`);
    whole(text, points, 1, 100_000);
  }
  for (const face of card.faces ? FACES : []) whole(`face ${face}`, card.faces[face], 1, 1000);
}

/** {dice: the most points from splitting them into combinations that use every die}. */
export function scores(card) {
  const found = new Map();
  const raise = (dice, points) => found.set(dice, Math.max(points, found.get(dice) ?? 0));
  for (const [text, points] of Object.entries(card.combinations)) {
    for (const dice of meant(text, card.dice)) raise(dice, points);
  }
  const kind = card.of_a_kind ?? "fixed";
  for (const face of kind === "fixed" ? [] : FACES) {
    const three = found.get(face.repeat(3));
    for (let more = 1; three && more <= card.dice - 3; more++)
      raise(face.repeat(3 + more), three * (kind === "doubled" ? 2 ** more : 1 + more));
  }
  const single = [...found];
  for (let length = 1; length < card.dice; length++) {
    for (const kept of [...found.keys()].filter((dice) => dice.length === length)) {
      for (const [dice, points] of single) {
        if (length + dice.length <= card.dice) raise(inOrder(kept + dice), found.get(kept) + points);
      }
    }
  }
  return found;
}

const inOrder = (dice) => [...dice].sort().join("");

/** The dice that match a combination: equal letters stand for equal faces, different letters for different ones. */
function meant(text, dice) {
  if (text.startsWith("nothing")) return [];
  if (text === "straight") return Array.from({ length: 7 - dice }, (_, low) => FACES.slice(low, low + dice).join(""));
  if (/\d/.test(text)) return [text];
  const letters = [...new Set(text)].sort();
  const chosen = letters.reduce((all) => all.flatMap((some) => FACES.filter((f) => !some.includes(f)).map((f) => [...some, f])), [[]]);
  return new Set(chosen.map((faces) => inOrder([...text].map((letter) => faces[letters.indexOf(letter)]).join(""))));
}

/** Every roll in a mode, 0 being the first roll: [weight, dice, [[gain, next dice or null, kept]] or "bust"]. */
function rollsOf(card, points, mode) {
  const dice = mode || card.dice;
  const { keep = "all_when_all_score", hot_dice: hot = "free" } = card;
  const { nothing: later, nothing_first: first } = card.combinations;
  const nothing = mode ? dice === card.dice && later : first;
  return multisets(6, dice).sort(([a], [b]) => (a < b ? -1 : 1)).map(([rolled, orders]) => {
    const weight = [...rolled].reduce((product, face) => product * (card.faces?.[face] ?? 1), orders);
    const keeps = new Map(parts(rolled).flatMap((kept) => (points.has(kept) ? [[kept, points.get(kept)]] : [])));
    if (!keeps.size && nothing) keeps.set(rolled, nothing);
    if (!keeps.size) return [weight, rolled, "bust"];
    const every = [...keeps.keys()];
    const may = (kept) =>
      (kept === rolled || !keeps.has(rolled) || keep !== "all_when_all_score") &&
      (keep !== "all" || !every.some((other) => other !== kept && within(kept, other)));
    const next = (kept) => (kept !== rolled ? dice - kept.length : hot === "none" ? null : card.dice);
    const options = every.filter(may).map((kept) => [keeps.get(kept), next(kept), kept]);
    options.sort(([p, , a], [q, , b]) => b.length - a.length || q - p || (a < b ? -1 : 1));
    return [weight, rolled, options];
  });
}

/** All parts of some dice, each once. */
function parts(rolled) {
  let found = new Set([""]);
  for (const die of rolled) found = new Set([...found, ...[...found].map((part) => part + die)]);
  found.delete("");
  return [...found];
}

/** Whether some dice are contained in others; both are sorted. */
function within(fewer, more) {
  let at = -1;
  return [...fewer].every((die) => (at = more.indexOf(die, at + 1)) >= 0);
}
