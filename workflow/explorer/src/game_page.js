// The page of one table: its game and rules, and the view of questions or of a game with a coach.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Setup } from "./choose.js";
import { h } from "./dom.js";
import { Editor } from "./edit.js";
import { write } from "./place.js";
import { gameOf } from "./play.js";
import { Rules } from "./rules.js";
import { capital, gameName, parameterName, valueName, valueText } from "./words.js";

export function Game({ page }) {
  const { list, table, wanted, position, found, play, view, text, wrong } = page;
  const go = (name) => (location.hash = write({ table: name, play, given: {} }));
  const tab = (to, text) => (
    <button type="button" aria-pressed={String(play === to)} onClick={() => page.turnTo(to)}>
      {text}
    </button>
  );
  return (
    <>
      <section class="table" aria-label="Game and rules">
        <h1>{gameName(table)}</h1>
        <Folded class="setup" text="Options">
          <div class="row">
            <Setup {...{ list, table, wanted, go }} vary={(name, value) => page.vary({ [name]: value })} />
          </div>
        </Folded>
        <div class="row">
          {position && gameOf(position) && (
            <div class="choices tabs" role="group" aria-label="What to do">
              {tab(false, "Ask")}
              {tab(true, "Play with a coach")}
            </div>
          )}
          <CopyLink />
        </div>
      </section>
      {view ? (
        <Element of={view.element} />
      ) : wrong ? (
        <div class="say" role="status">
          <p class="none">{capital(wrong)}.</p>
        </div>
      ) : (
        <Unsolved page={page} />
      )}
      <footer>
        <OwnCard page={page} key={page.cards} />
        <Folded class="rules" text="The rules">
          <Rules table={table} wanted={wanted} />
        </Folded>
        <details>
          <summary>About this table</summary>
          <p>{table.title}</p>
          <p>{found && `At the very start: ${startText(found.variant)}`}</p>
          <p>
            On the command line: <code>{command(table, text, wanted)}</code>
          </p>
          <p>{table.citation}</p>
        </details>
      </footer>
    </>
  );
}

/** Contents that a telephone shows on demand, and a wide screen always. */
function Folded({ text, children, ...more }) {
  const [open, setOpen] = useState(matchMedia("(min-width: 56rem)").matches);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} {...more}>
      <summary>{text}</summary>
      {children}
    </details>
  );
}

/** An element that no component made. */
export function Element({ of }) {
  const place = useRef(null);
  useLayoutEffect(() => place.current.replaceChildren(of), [of]);
  return <div ref={place} />;
}

/** The editor of a copy of the card, if the page can solve one. */
function OwnCard({ page: { table, wanted, edited, position, edit } }) {
  const { own } = table;
  const card = edited ?? own?.definitions[wanted[own.parameter]];
  if (!card) return null;
  const worth = edited && position ? `; a turn is worth ${valueText(position.variant.value, "points")}` : "";
  return (
    <details class="edit" open={Boolean(edited)}>
      <summary>{`Edit a copy of this card, to be solved in the page${worth}`}</summary>
      <Editor card={card} switches={own.switches} change={edit} />
    </details>
  );
}

/** Say that the wanted variant is not solved, and list the nearest ones that are. */
function Unsolved({ page: { table, wanted, vary } }) {
  const words = Object.entries(wanted).map(([name, value]) => `${parameterName(name, table)}: ${valueName(table, name, value)}`);
  const there = table.elsewhere.some((parameters) => table.names.every((name) => parameters[name] === wanted[name]));
  const others = (parameters) => table.names.filter((name) => parameters[name] !== wanted[name]);
  return (
    <div class="say" role="status">
      <p class="none">{`${there ? "Not on this page, but solved (dicebase lookup)" : "Not solved"}: ${words.join(", ")}.`}</p>
      <div class="choices near" role="group" aria-label="Nearest">
        Nearest that are:{" "}
        {table.near(wanted).map((parameters) => (
          <button type="button" onClick={() => vary(parameters)}>
            {others(parameters)
              .map((name) => `${parameterName(name, table)}: ${valueName(table, name, parameters[name])}`)
              .join(", ")}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The lookup of a position as you type it in a shell. */
function command({ table }, text, wanted) {
  const words = Object.entries(wanted).map(([name, value]) => `${name}=${typed(value)}`);
  return ["dicebase lookup", table, ...(text ? [typed(text)] : []), ...words].join(" ");
}

/** A value as you type it in a shell. */
const typed = (value) => (/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'"'"'`)}'`);

function startText({ value, unit, error_bound: bound, note }) {
  return `${valueText(value, unit)}; ${bound ? `error bound ${bound.toExponential(1)}` : "exact"}. ${note ?? ""}`;
}

/** A button that copies the address; without https, browsers support only the old method. */
function CopyLink() {
  const [text, setText] = useState("Copy link");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      const box = h("textarea", { value: location.href });
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    setText("Link copied");
    setTimeout(() => setText("Copy link"), 2000);
  };
  return (
    <button type="button" class="copy" onClick={copy}>
      {text}
    </button>
  );
}
