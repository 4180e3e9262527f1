// Pictures of the policy around a position: the cost of each action along one column, the best action across two.

import * as Plot from "@observablehq/plot";
import { h } from "./dom.js";
import { COLOURS, numbers, policyAround } from "./policy.js";
import { nearest } from "./state.js";
import { actionName, capital, columnName, count, isChance, plainText, valueText } from "./words.js";

const [BEFORE, AFTER] = [25, 55]; // values shown around the position
/** A number of points, dice or stones; fractions are left blank. */
const whole = (value) => (Number.isInteger(value) ? count(value) : "");
const ROLLS = 25; // fewer values of a column get a bar each
const SMALL = { background: "none", fontSize: "13px" };

/** [figures of costs, maps], each with its caption; `width(part)` is the width of its place, `go(state)` moves the
 * position to where you click; without a map the costs go to the place `free`. */
export async function maps(position, state, width, go, free) {
  if (["sheets", "served"].includes(position.answers.kind)) return [[], []];
  const own = (await position.answer(state)) ?? (await position.supposed(state));
  if (!own) return [[], []];
  const map = await across(position, state, width("map"), go);
  const place = map ? "costs" : free;
  const costs = await along(position, state, own, width(place));
  return [place === "costs" ? costs : null, map ?? (place === "map" ? costs : null)].map((f) => (f ? [f] : []));
}

function figure(title, note, plot, width) {
  // Name the picture as a whole, not each of its marks.
  for (const mark of plot.querySelectorAll("[aria-label], [aria-description]")) {
    mark.removeAttribute("aria-label");
    mark.removeAttribute("aria-description");
  }
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${title}. ${note}`);
  const legend =
    width &&
    plot.legend("color", { width: Math.min(300, width), marginLeft: 20, marginRight: 20, ticks: 4, style: SMALL });
  if (legend) legend.setAttribute("aria-hidden", "true");
  return h("figure", {}, h("h2", {}, title), legend, plot, h("figcaption", {}, note));
}

/** Whether positions of a board have mostly the same actions, so that they can be compared. */
const alike = (known, names) =>
  known.length > 4 && names.length < 25 && 2 * known.flatMap(({ answer }) => answer.actions).length >= names.length * known.length;

/** The cost of each action along the last number of the position; if actions differ from number to number, as with the
 * rolls of a board, the value of the best one. */
async function along(position, state, own, width) {
  const last = position.columns.at(-1);
  const byRoll = position.board && typeof state[last] === "string" && position.possible(last, state).length < ROLLS;
  const column = byRoll ? last : numbers(position, state).at(-1);
  if (!column) return null;
  const { unit } = position.variant;
  const all = position.possible(column, state);
  const next = all.findIndex((value) => value >= state[column]);
  const at = next < 0 ? all.length : next;
  const low = Math.max(0, Math.min(at - BEFORE, all.length - BEFORE - AFTER));
  const values = all.slice(low, low + BEFORE + AFTER);
  if (next < 0) values.push(state[column]);
  const answers = await Promise.all(
    values.map(async (x) => ({
      x,
      answer: x === state[column] ? own : await position.answer({ ...state, [column]: x }),
    })),
  );
  const known = answers.filter(({ answer }) => answer);
  const names = [...new Set(known.flatMap(({ answer }) => answer.actions.map((a) => a.action)))];
  if (known.length < 2 || names.length < 2) return null;
  if (byRoll || (position.board && !alike(known, names))) return values.length < ROLLS ? bestBy(column, known, position, state, width) : null;
  const scale = isChance(unit) ? 100 : 1;
  const shown = isChance(unit) ? "percentage points" : unit;
  const x = { label: columnName(column, position.table), tickFormat: whole };
  const share = { width, marginBottom: 44, style: SMALL };
  if (names.length === 2) {
    const one = names.includes("roll") ? "roll" : names[0];
    const other = names.find((name) => name !== one);
    const lead = known
      .filter(({ answer }) => answer.actions.length === 2)
      .map(({ x, answer }) => {
        const { regret, action } = answer.actions[1];
        return { x, lead: scale * regret * (action === other ? 1 : -1) };
      });
    if (lead.length < 3) return null;
    const here = lead.filter((d) => d.x === state[column]);
    const plot = Plot.plot({
      ...share,
      height: 240,
      marginLeft: 56,
      x,
      y: { label: `${one} better by (${shown})`, grid: true, nice: true },
      marks: [
        Plot.differenceY(lead, {
          x: "x",
          y: "lead",
          positiveFill: COLOURS[0],
          negativeFill: COLOURS[1],
          fillOpacity: 0.55,
        }),
        Plot.ruleY([0]),
        Plot.ruleX([state[column]], { strokeDasharray: "3,3" }),
        Plot.dot(here, { x: "x", y: "lead", r: 6, fill: "currentColor", stroke: "var(--paper)" }),
        Plot.tip(lead, Plot.pointerX({ x: "x", y: "lead", title: ({ x: at, lead }) => `${count(at)}: ${lead < 0 ? other : one} +${Math.abs(lead).toFixed(2)}` })),
      ],
    });
    return figure(
      capital(`${one} or ${other}?`),
      `Above the line ${one} is better, below it ${other}. The dot is your position.`,
      plot,
    );
  }
  const cells = known.flatMap(({ x, answer }) =>
    answer.actions.map((a) => ({ x, action: a.action, regret: a.regret * scale, optimal: a.optimal })),
  );
  names.sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
  const long = Math.max(...names.map((name) => actionName(name, position.table).length));
  const marginLeft = Math.min(30 + 7.5 * long, width * 0.5);
  const every = Math.ceil(values.length / Math.max(3, (width - marginLeft) / 60));
  const plot = Plot.plot({
    ...share,
    height: 80 + 20 * names.length,
    marginLeft,
    x: { ...x, type: "band", domain: values, ticks: values.filter((_, i) => i % every === 0), padding: 0 },
    y: {
      type: "band",
      domain: names,
      label: "Action",
      tickFormat: (name) => actionName(name, position.table),
      padding: 0.05,
    },
    color: { type: "sqrt", scheme: "cividis", reverse: true, label: `cost (${shown})` },
    marks: [
      Plot.cell(cells, { x: "x", y: "action", fill: "regret" }),
      Plot.dot(
        cells.filter((c) => c.optimal),
        { x: "x", y: "action", r: 2.5, fill: "#000", stroke: "#fff" },
      ),
      Plot.cell(names, { x: () => state[column], y: (name) => name, stroke: "#d55e00", strokeWidth: 1.5 }),
      Plot.tip(cells, Plot.pointer({ x: "x", y: "action", title: (c) => `${count(c.x)}, ${actionName(c.action, position.table)}: ${c.optimal ? "best" : `costs ${c.regret.toFixed(2)}`}` })),
    ],
  });
  return figure(
    `What each action costs, by ${columnName(column, position.table).toLowerCase()}`,
    "A dot marks the best action; the frame is your position.",
    plot,
    width,
  );
}

/** A bar for the value of each number or roll, with its best action. */
function bestBy(column, known, position, state, width) {
  const { table, variant } = position;
  const name = columnName(column, table).toLowerCase();
  const data = known.map(({ x, answer: { value, actions } }) => ({
    x,
    value,
    text: `${valueText(value, variant.unit, true)}  ${actions[0].action === "pass" ? "no play" : actionName(actions[0].action, table)}`,
  }));
  const all = data.map(({ value }) => value);
  const [least, most] = [Math.min(0, ...all), Math.max(1e-9, ...all)];
  const plot = Plot.plot({
    width,
    height: 30 + 20 * data.length,
    marginLeft: 56,
    marginTop: 22,
    marginBottom: 4,
    style: SMALL,
    x: { axis: null, domain: [least, most + (width < 480 ? 2.4 : 0.7) * (most - least)] },
    y: { type: "band", domain: data.map(({ x }) => x), label: columnName(column, table), padding: 0.15, tickSize: 0 },
    marks: [
      Plot.barX(data, { x: "value", y: "x", fill: ({ x }) => (x === state[column] ? "var(--accent)" : "var(--line)") }),
      Plot.text(data, { x: "value", y: "x", text: "text", textAnchor: "start", dx: 6, fill: "currentColor" }),
    ],
  });
  return figure(`The best action, by ${name}`, `Bars show ${plainText(table.value_is)}. The blue bar is your position.`, plot);
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** Increasing numbers with the gaps between them filled in. */
function regular(values) {
  const step = values.slice(1).reduce((of, v, i) => divisor(of, v - values[i]), 0) || 1;
  return Array.from({ length: (values.at(-1) - values[0]) / step + 1 }, (_, i) => values[0] + i * step);
}

/** The best action, or the lowest total at which to bank, across two columns. */
async function across(position, state, width, go) {
  const map = await policyAround(position, state);
  if (!map) return null;
  const [x, y] = map.columns;
  const [xs, ys] = map.columns.map((name) => regular(position.possible(name, state)));
  const step = (values) => (values.length > 1 ? values[1] - values[0] : 1);
  const data = ys.flatMap((b) => xs.map((a) => map.at(a, b)));
  if (xs.length < 3 || ys.length < 3 || data.every((v) => v === undefined)) return null;
  const size = Math.min(width, 560);
  const edges = (values) => [values[0] - step(values) / 2, values.at(-1) + step(values) / 2];
  const [x1, x2] = edges(xs);
  const [y1, y2] = edges(ys);
  const plot = Plot.plot({
    width: size,
    height: Math.round(Math.max(200, Math.min(size, ys.length > xs.length / 3 ? size : size / 2))) + 20,
    marginLeft: 56,
    marginBottom: 44,
    style: SMALL,
    x: { label: columnName(x, position.table), domain: [x1, x2], tickFormat: whole },
    y: { label: columnName(y, position.table), domain: [y1, y2], tickFormat: whole },
    color: map.color,
    marks: [
      Plot.raster(data, {
        x1,
        y1,
        x2,
        y2,
        width: xs.length,
        height: ys.length,
        fill: Plot.identity,
        interpolate: "none",
        imageRendering: "pixelated",
      }),
      Plot.dot([state], { x, y, r: 8, stroke: "#fff", strokeWidth: 5 }),
      Plot.dot([state], { x, y, r: 8, stroke: "#d00000", strokeWidth: 2.5 }),
    ],
  });
  plot.style.cursor = "crosshair";
  const under = ({ clientX, clientY }) => {
    const box = plot.getBoundingClientRect();
    const zoom = size / box.width;
    return {
      [x]: nearest(xs, plot.scale("x").invert((clientX - box.left) * zoom)),
      [y]: nearest(ys, plot.scale("y").invert((clientY - box.top) * zoom)),
    };
  };
  plot.addEventListener("click", (event) => go(under(event)));
  const here = map.at(state[x], state[y]);
  const drawn = figure(map.title, `${map.note(here)} The ring is your position; click the map to go elsewhere.`, plot, size);
  const tip = h("p", { class: "tip", hidden: true });
  plot.addEventListener("pointermove", (event) => {
    const there = under(event);
    const what = map.at(there[x], there[y]);
    const said = typeof what === "number" && !Number.isNaN(what) ? `${map.color.label} ${count(what)}` : (what || "nothing");
    tip.textContent = `${columnName(x, position.table)} ${count(there[x])}, ${columnName(y, position.table)} ${count(there[y])}: ${said}`;
    tip.hidden = false;
  });
  plot.addEventListener("pointerleave", () => (tip.hidden = true));
  drawn.append(tip);
  return drawn;
}
