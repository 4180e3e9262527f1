// Games of hidden information, played against the table (play.js): whatever you do not choose is chance to you, also the
// opponent's actions, which are drawn from the published mix.

import { count, isLead, wonText } from "./words.js";

/** What a roll is called while you do not know it. */
const COVERED = "covered";

/** How play goes on, seen by a player: `me` = 1 for the first, -1 for the second. A node is {outcomes} of chance, or {at} a
 * player's decision, or the end (at < 0), with the `role` of the player who moved last or decides, 1 for the first; `paid` to the first player; and
 * `mine` and `theirs`, what both saw last. */
function tree(play, me) {
  const reach = (node, { to, turns, pays }) => {
    const next = { ...node, outcomes: null, at: to, role: turns ? -node.role : node.role, paid: node.paid + node.role * pays };
    return to < 0 ? next : { ...next, [next.role === me ? "mine" : "theirs"]: play.state(to) };
  };
  const follow = (node, after) => {
    const outcomes = play.outcomes(after);
    return outcomes.length > 1 ? { ...node, outcomes } : reach(node, outcomes[0]);
  };
  const act = (node, number) => follow(node, play.after(node.at, number));
  /** What you see at your next decision if the first of all possible things happens until then; null at the end. */
  const seen = (node) => {
    let next = node;
    while (next.outcomes || (next.at >= 0 && next.role !== me)) next = next.outcomes ? reach(next, next.outcomes[0]) : act(next, 0);
    return next.at < 0 ? null : next.mine;
  };
  return { start: follow({ role: 1, paid: 0 }, 0), reach, act, seen };
}

/** The last words of a game, with what the opponent had. */
function ended({ answers, variant: { unit } }, paid, theirs) {
  const names = (answers.meta.drawing ?? []).filter(({ covered }) => covered).map(({ column }) => column);
  const reveal = theirs ? names.map((name) => ` The opponent had: ${name} ${theirs[name]}.`).join("") : "";
  const size = Math.abs(paid);
  const by = isLead(unit) ? "" : ` ${count(size)} ${size === 1 ? unit.replace(/s$/, "") : unit}`;
  return `${paid ? wonText(paid).replace(".", `${by}.`) : "A draw."}${reveal}`;
}

/** The game; you sit on the other side each time. */
export async function hidden(position) {
  const { answers, variant } = position;
  const play = await answers.play();
  const me = (position.seat = -(position.seat ?? -1));
  const { start, reach, act, seen } = tree(play, me);
  const shown = async (node) => {
    const { at, outcomes, mine, theirs, paid } = node;
    const more = { paid: me * paid, begun: me * variant.value };
    if (outcomes) {
      const nodes = outcomes.map((outcome) => reach(node, outcome));
      const views = nodes.map(seen);
      const differ = answers.columns.filter((name) => new Set(views.filter(Boolean).map((view) => view[name])).size > 1);
      const text = (i) => differ.map((name) => views[i]?.[name] ?? "").join(" ") || COVERED;
      const falls = nodes.map((next, i) => ({ weight: outcomes[i][0], text: text(i), record: outcomes[i].said, dealt: true, to: () => shown(next) }));
      return { ...more, role: 1, falls };
    }
    if (at < 0) return { ...more, role: me * node.role, end: ended(position, me * paid, theirs), last: mine, theirs };
    const state = play.state(at);
    const legal = await answers.legal(answers.row(state));
    const role = me * node.role;
    if (role > 0) {
      const chosen = async (action) => {
        const next = await shown(act(node, legal.indexOf(action)));
        const remark = await bluff(position, state, action);
        if (!next.end) return { ...next, remark };
        return { ...more, role, remark, falls: [{ weight: 1, text: "all is shown", record: "", acts: true, to: () => next }] };
      };
      return { ...more, role, state, act: chosen };
    }
    const { actions } = await position.answer(state);
    const nodes = legal.map((_, i) => act(node, i));
    const views = nodes.map((next) => JSON.stringify(seen(next)));
    const known = (view) => view === "null" || views.filter((other) => other === view).length === 1;
    const falls = legal.map((action, i) => ({
      weight: actions.find((a) => a.action === action).probability,
      text: known(views[i]) ? action : COVERED,
      record: action,
      acts: true,
      to: () => shown(nodes[i]),
    }));
    return { ...more, role, falls };
  };
  return shown(start);
}

const NEVER = "the table never does it, but it costs nothing";

/** What came before, as the player who decides knows it: what all plays have in common that look like this. */
export async function before(position, state) {
  const { answers } = position;
  if (!answers.moves) return "";
  const play = await answers.play();
  const paths = play.like(state).map((at) => play.path(at));
  const steps = paths[0].map(async ({ at, action, said }, i) => {
    const common = paths.every((path) => path[i]?.said === said && path[i]?.action === action);
    if (at === undefined) return common && said ? `${said} is turned up` : "";
    const there = play.state(at);
    const name = common && (await answers.legal(answers.row(there)))[action];
    return `${there.player === state.player ? "you" : "the opponent"}: ${name || COVERED}`;
  });
  const said = (await Promise.all(steps)).filter(Boolean);
  return said.length ? `so far ${said.join(", ")}` : "nothing has happened yet";
}

/** What a coach says to an action that costs nothing: that it is a bluff, and how often the table does it, if it leaves the
 * opponent something to decide and the table does it more often with other covered dice or cards that are worth more; or
 * that the table never does it. Otherwise an empty text. */
export async function bluff(position, state, action) {
  const { answers } = position;
  const answer = await position.answer(state);
  const { probability, regret } = answer.actions.find((a) => a.action === action);
  if (!answers.moves || answer.actions.length === 1) return "";
  if (!probability) return regret ? "" : NEVER;
  const play = await answers.play();
  const number = (await answers.legal(answers.row(state))).indexOf(action);
  if (play.outcomes(play.after(play.like(state)[0], number)).every(({ to }) => to < 0)) return "";
  const shared = Object.fromEntries(answers.columns.map((name) => [name, state[name]]));
  for (const { column, covered } of answers.meta.drawing) {
    for (const value of covered ? position.anywhere(column) : []) {
      const other = value === state[column] ? null : await position.answer({ ...shared, [column]: value });
      const same = other?.actions.find((a) => a.action === action);
      if (same?.probability > probability && other.value > answer.value + 1e-9)
        return `a bluff: the table does it ${Math.round(100 * probability) || "less than 1"} % of the time`;
    }
  }
  return "";
}
