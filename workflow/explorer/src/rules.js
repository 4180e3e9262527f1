// The rules of a table in text and tables: from the rules file, the parameters and the definitions of their names.

import { columnName, parameterName, plainText, valueName } from "./words.js";

/** The rules in words, and below them what is chosen and what a position is. */
export function Rules({ table, wanted }) {
  const { rules, parameters, columns, own } = table;
  const chosen = parameters.map(({ name, description }) => [parameterName(name, table), valueName(table, name, wanted[name]), description]);
  const listed = columns.map(({ name, description, unit }) => [columnName(name, table), unit, description]);
  const lines = ({ name, cards }) => ({ ...(own?.parameter === name ? own.cards : {}), ...cards })[wanted[name]];
  return (
    <>
      <div class="text">
        {rules.map((text) => (
          <p>{plainText(text)}</p>
        ))}
      </div>
      <details>
        <summary>What is chosen, and what a position is</summary>
        {parameters.filter(lines).map((parameter) => (
          <>
            <p>{plainText(valueName(table, parameter.name, wanted[parameter.name]))}</p>
            <ul>
              {lines(parameter).map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          </>
        ))}
        <Terms title="What is chosen" heads={["Here", "Meaning"]} rows={chosen} />
        <Terms title="A position" heads={["Unit", "Meaning"]} rows={listed} />
      </details>
    </>
  );
}

function Terms({ title, heads, rows }) {
  if (!rows.length) return null;
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <td />
          {heads.map((text) => (
            <th scope="col">{text}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value, meaning]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{value}</td>
            <td>{plainText(meaning)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
