// The address: #<table>[/play]?<parameters and state>, so that a position can be shared.

/** {table, play, given: {name: text}} of an address. */
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

/** The given values of some columns ({name, kind}), as numbers where they are. */
export function values(columns, given) {
  const found = {};
  for (const { name, kind } of columns) {
    if (!(name in given)) continue;
    if (kind === "integer" && !/^-?\d+$/.test(given[name]))
      throw new Error(`${name}=${given[name]} is not a whole number`);
    found[name] = kind === "integer" ? Number(given[name]) : given[name];
  }
  return found;
}

export const sortedDice = (text) => [...text].sort().join("");
