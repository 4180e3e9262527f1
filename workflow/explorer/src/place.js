// The address: #<table>[/play]?position=<text>&<parameters>, so that a position can be shared. The text lists the columns
// of the position in the table's order, separated by spaces; the columns may also be given by name.

/** A column in the text of a position: in double quotes, as in CSV, or without spaces. */
const WORDS = /"((?:[^"]|"")*)"|(\S+)/g;

/** {table, play, given: {name: text}} from an address. */
export function read(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [table, play] = path.split("/");
  return {
    table: decodeURIComponent(table),
    play: play === "play",
    given: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function write({ table, play, given }) {
  const query = new URLSearchParams(given).toString();
  return `#${table}${play ? "/play" : ""}${query ? `?${query}` : ""}`;
}

/** The given texts, with the text of the position replaced by its columns. `columns` ends with the roll, which the table
 * does not store, if a roll may replace the dice; `tell` reports a text with too few or too many columns. */
export function unpacked(columns, { position, ...given }, tell) {
  if (position === undefined) return given;
  const words = [...position.matchAll(WORDS)].map(([, quoted, plain]) => plain ?? quoted.replaceAll('""', '"'));
  const least = columns.filter(({ stored }) => stored).length;
  if (words.length < least || words.length > columns.length) {
    const names = columns.map((column) => column.name).join(" ");
    tell(`The position ${position} has ${words.length} of the columns ${names}.`);
    return given;
  }
  const found = columns.slice(0, words.length).flatMap(({ name, stored }, i) => {
    if (words[i] !== "-" || stored?.includes("-")) return [[name, words[i]]];
    return stored ? [] : [[name, ""]]; // the player has not rolled yet
  });
  return { ...given, ...Object.fromEntries(found) };
}

/** The text of a position. */
export function packed(columns, state) {
  const there = columns.filter(({ name, stored }) => stored || name in state);
  const texts = there.map(({ name }) => (name === "rerolls_left" && !state.roll ? "" : `${state[name] ?? ""}`));
  return texts.map((text) => (/[\s"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text || "-")).join(" ");
}

/** The given values of columns ({name, kind}), as numbers if they are; `tell` reports values that cannot be read. */
export function values(columns, given, tell) {
  const found = {};
  for (const { name, kind } of columns) {
    if (!(name in given)) continue;
    if (kind !== "integer") found[name] = name === "roll" ? sortedDice(given.roll) : given[name];
    else if (/^-?\d+$/.test(given[name])) found[name] = Number(given[name]);
    else tell(`${name}=${given[name]} is not a whole number.`);
  }
  return found;
}

/** A roll as people write it, converted to the tables' notation; "-" stays, for a position before the roll. */
function sortedDice(text) {
  const dice = text.replace(/[ ,;\-[\](){}]/g, "");
  return /^\d+$/.test(dice) ? [...dice].sort().join("") : text;
}
