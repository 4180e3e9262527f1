// Games on boards, as positions that lead to each other (play.js).

import { count, isHidden, wonText } from "./words.js";

/** A board, alone or for two, or a game of hidden information with all of it shown; the table sees it as the mover does. */
export async function board(position) {
  const { answers, variant, table } = position;
  const hides = isHidden(table);
  const play = await answers.play();
  let two = false;
  const fall = (after, role, paid) => {
    const outcomes = play.outcomes(after);
    const texts = fallen(
      outcomes.map(({ to }) => (to < 0 ? null : play.state(to))),
      answers.columns,
    );
    return {
      role,
      paid,
      falls: outcomes.map((o, i) => {
        const next = o.turns ? -role : role;
        const to = () => {
          two ||= Boolean(o.turns);
          return reached(o.to, next, paid + role * o.pays);
        };
        // On a board the player who then moves rolls.
        return { weight: o[0], text: o.said ?? texts[i] ?? "", role: o.to < 0 || hides ? role : next, to };
      }),
    };
  };
  const reached = (row, role, paid) => {
    if (row < 0) return { role, paid, end: ended(paid) };
    const state = play.state(row);
    const act = async (action) => {
      const legal = await answers.legal(answers.row(state));
      return fall(play.after(row, legal.indexOf(action)), role, paid);
    };
    return { role, paid, state, act };
  };
  const ended = (paid) => {
    if (variant.unit !== "probability") return `It is over: ${count(paid)} ${variant.unit}.`;
    if (!two) return paid ? "You have made it." : "You have not made it.";
    return paid === 0.5 ? "A draw." : wonText(paid > 0.5 ? 1 : -1);
  };
  return fall(0, 1, 0);
}

/** The names of outcomes: the roll or, if there is none, the columns in which the positions differ (matches/boards/board.py). */
function fallen(states, columns) {
  if (states.length < 2) return [];
  const differ = columns.filter((name) => new Set(states.filter(Boolean).map((s) => s[name])).size > 1);
  const rolls = columns.filter((name) => name.startsWith("roll"));
  return states.map((s) => (s ? (rolls.length ? rolls : differ).map((name) => s[name]).join("-") : "end"));
}
