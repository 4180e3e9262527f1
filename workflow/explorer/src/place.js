// The address: #<table>[/play]?<parameters and state>, so that a position can be shared.

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

/** A roll as people write it, converted to the tables' notation. */
function sortedDice(text) {
  const dice = text.replace(/[ ,;\-[\](){}]/g, "");
  return /^\d*$/.test(dice) ? [...dice].sort().join("") : text;
}
