// The choice of a table and variant: one control for each parameter with several values.

import { useId } from "./boards/parts.js";
import { capital, matchName, parameterName, valueName } from "./words.js";

/** Controls for the aim of a game and its parameters; `go(table)` opens a table, `vary(name, value)` a variant. */
export function Setup({ list, table, wanted, go, vary }) {
  const aims = list.filter(({ game }) => game === table.game).map((t) => [t.table, short(matchName(t), t.match)]);
  return (
    <>
      {aims.length > 1 && <Select label="Aim" options={aims} value={table.table} change={go} />}
      {table.parameters.map((parameter) => (
        <Parameter key={parameter.name} {...{ table, parameter, wanted, vary }} />
      ))}
    </>
  );
}

const LONGEST = 42; // letters of an aim that a telephone shows whole

/** The first part of an aim in words, or else its name. */
function short(words, match) {
  const [first] = words.split(/[:;,]/);
  return first.length > LONGEST ? capital(match) : first;
}

function Parameter({ table, parameter: { name, kind, description }, wanted, vary }) {
  const { variant } = table.find(wanted) ?? table.find(table.near(wanted)[0]);
  const here = table.own?.parameter === name ? Object.keys(table.own.definitions) : []; // the page solves these
  const solved = [...new Set([...table.variants.map((v) => v.parameters[name]), ...here])].sort((a, b) => a - b || (a < b ? -1 : 1));
  const label = parameterName(name, table);
  // If larger variants answer for smaller ones, any smaller number is allowed.
  if (table.sizes.includes(name) && !variant.falls)
    return <Whole {...{ label, description }} value={wanted[name]} change={(value) => vary(name, value)} />;
  const said = table.own?.parameter === name ? "your own card" : `${wanted[name]}: not solved`;
  const other = solved.includes(wanted[name]) ? [] : [[wanted[name], said]];
  if (solved.length + other.length < 2) return null;
  const texts = solved.map((value) => [value, valueName(table, name, value)]);
  return (
    <Select
      label={label}
      options={[...texts, ...other]}
      value={wanted[name]}
      change={(text) => vary(name, kind === "integer" ? Number(text) : text)}
    />
  );
}

export function Select({ label, options, value, change }) {
  const id = useId();
  return (
    <div class="control">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => change(target.value)}>
        {options.map(([of, text]) => (
          <option value={of} selected={of === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Whole({ label, description, value, change, ...limits }) {
  const id = useId();
  return (
    <div class="control">
      <label for={id} title={description}>
        {label}
      </label>
      <input
        id={id}
        type="number"
        inputmode="numeric"
        value={value}
        {...limits}
        onChange={({ target }) => Number.isInteger(target.valueAsNumber) && change(target.valueAsNumber)}
      />
    </div>
  );
}
