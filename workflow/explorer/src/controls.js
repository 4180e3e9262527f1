// A control for a column that no board draws, by its kind: numbers, few choices, free slots, texts, dice entered by face.
// Its properties: column {name, label, description, anywhere}, value, values (the possible ones), and change(value,
// quietly), called quietly while a slider moves or a number is typed.

import { useEffect, useRef, useState } from "preact/hooks";
import { Die, keptBy, useId } from "./boards/parts.js";
import { thrown } from "./chance.js";
import { nearest } from "./state.js";
import { count } from "./words.js";

const FEW = 8; // most numbers shown as buttons
const CHIPS = 16; // the same on a board
const CHOICES = 300; // most texts shown as a list
const SUGGESTED = 50;

export function Control(props) {
  const { name, board, anywhere } = props.column;
  const texts = typeof (board ? anywhere : props.values)[0] === "string";
  if (name === "free" && !board) return <Slots {...props} />;
  if (name === "roll" && !board) return <Roll {...props} />;
  const few = board ? anywhere.length <= CHIPS : ["dice", "rerolls_left"].includes(name) && props.values.length <= FEW;
  if (few) return <Choice {...props} />;
  if (!texts) return <Points {...props} />;
  return (board ? anywhere : props.values).length <= CHOICES ? <List {...props} /> : <Written {...props} />;
}

const spaced = (text) => text.replaceAll("_", " ");

const Group = ({ column: { name, label, description, board }, children }) => (
  <fieldset class={`control ${name}`}>
    <legend>
      {label}
      {board && <small> {spaced(description)}</small>}
    </legend>
    {children}
  </fieldset>
);

export function Points({ column: { name, label, description }, value, values, change }) {
  const id = useId();
  const moving = useRef(false);
  const number = useRef(null);
  const known = values.length ? values : [value];
  const only = known.length === 1 && known[0] === value;
  useEffect(() => {
    if (number.current.valueAsNumber !== value) number.current.value = value;
  });
  const quietly = (to) => {
    change(to, moving.current);
    moving.current = true;
  };
  const step = (by) => {
    const next = by > 0 ? known.find((v) => v > value) : known.findLast((v) => v < value);
    if (next !== undefined) change(next);
  };
  const button = (by, sign, word) => (
    <button type="button" class="step" aria-label={`${label}: ${word}`} onClick={() => step(by)}>
      {sign}
    </button>
  );
  const settled = ({ target }) => {
    moving.current = false;
    if (target.type === "number" && !Number.isNaN(target.valueAsNumber)) change(target.valueAsNumber);
  };
  return (
    <div class={`control points ${name}`}>
      <label for={id} title={description}>
        {label} <small>{only ? "" : `${count(known[0])} to ${count(known.at(-1))}`}</small>
      </label>
      <div class="row">
        {!only && button(-1, "−", "less")}
        <input
          id={id}
          ref={number}
          type="number"
          inputmode="numeric"
          step="any"
          onFocus={({ target }) => target.select()}
          onChange={settled}
          // An incomplete number may be the beginning of a longer one.
          onInput={({ target }) => known.includes(target.valueAsNumber) && quietly(target.valueAsNumber)}
        />
        {!only && button(1, "+", "more")}
        {!only && (
          <input
            type="range"
            min="0"
            max={known.length - 1}
            value={known.indexOf(nearest(known, value))}
            aria-label={label}
            aria-valuetext={count(value)}
            onInput={({ target }) => quietly(known[target.valueAsNumber])}
            onChange={settled}
          />
        )}
      </div>
    </div>
  );
}

export function Choice({ column, value, values, change }) {
  const group = useId();
  const all = column.board ? column.anywhere : column.name === "dice" ? column.anywhere : values;
  return (
    <Group column={column}>
      <div class="choices">
        {all.map((of) => (
          <label class="choice">
            <input type="radio" name={group} checked={of === value} disabled={!values.includes(of)} onChange={() => change(of)} />
            <span>
              {spaced(count(of))}
              {column.name === "dice" && !column.board && <span class="unseen">{of === 1 ? " die" : " dice"}</span>}
            </span>
          </label>
        ))}
      </div>
    </Group>
  );
}

function Slots({ column, value, change }) {
  const number = Math.floor(Math.log2(Math.max(...column.anywhere))) + 1;
  return (
    <Group column={column}>
      <div class="choices slots">
        {Array.from({ length: number }, (_, i) => (
          <label class="choice">
            <input type="checkbox" checked={Boolean((value >> i) & 1)} onChange={() => change(value ^ (1 << i))} />
            <span>
              <span class="unseen">slot </span>
              {i + 1}
            </span>
          </label>
        ))}
      </div>
      <button type="button" onClick={() => change(2 ** number - 1)}>
        All free
      </button>
    </Group>
  );
}

function List({ column, value, values, change }) {
  const id = useId();
  const texts = values.includes(value) ? values : [value, ...values];
  return (
    <div class="control">
      <label for={id}>
        {column.label}
        {column.board && <small> {column.description}</small>}
      </label>
      <select id={id} value={value} onChange={({ target }) => change(target.value)}>
        {texts.map((text) => (
          <option value={text}>{text}</option>
        ))}
      </select>
    </div>
  );
}

/** A text field with suggestions, for a column of many texts. */
function Written({ column, value, values, change }) {
  const id = useId();
  const [typed, type] = useState(null);
  const known = new Set(values);
  const found = [];
  for (const text of known) if (text.startsWith(typed ?? value) && found.push(text) >= SUGGESTED) break;
  return (
    <div class="control">
      <label for={id}>
        {column.label} <small>{column.description}</small>
      </label>
      <input
        id={id}
        type="text"
        list={`${id}-list`}
        autocomplete="off"
        spellcheck={false}
        value={typed ?? value}
        onInput={({ target }) => (known.has(target.value) ? (type(null), change(target.value)) : type(target.value))}
        onChange={({ target }) => target.value && (type(null), change(target.value))}
      />
      <datalist id={`${id}-list`}>
        {found.map((text) => (
          <option value={text} />
        ))}
      </datalist>
    </div>
  );
}

/** Dice by their faces: a click on a face below adds it, a click on a die above removes it, and so do digit keys. Dice that
 * an action in `pointed` keeps are lifted. */
export function Roll({ column, value, values: lengths, change, pointed = [] }) {
  const most = Math.max(...lengths);
  const sides = column.sides ?? 6;
  const all = Array.from({ length: sides }, (_, i) => String(i + 1));
  const last = useRef("");
  const without = (at) => value.slice(0, at) + value.slice(at + 1);
  const add = (face) => value.length < most && change([...value, (last.current = face)].sort().join(""));
  useEffect(() => {
    const typed = ({ key, target, ctrlKey, altKey, metaKey }) => {
      if (ctrlKey || altKey || metaKey || target.matches("input:not([type=radio]), select, textarea")) return;
      if (all.includes(key)) add(key);
      else if (key === "Backspace" && value) change(without(value.includes(last.current) ? value.indexOf(last.current) : value.length - 1));
    };
    document.addEventListener("keydown", typed);
    return () => document.removeEventListener("keydown", typed);
  });
  const kept = keptBy(pointed[0]?.action, value);
  const lifted = (i) => (kept[i] ? `lifted ${pointed[0].best ? "best" : "shown"}` : "");
  const need = lengths.length > 1 ? `${Math.min(...lengths)} to ${most} dice` : `${most} dice`;
  const whole = lengths.includes(value.length);
  return (
    <Group column={column}>
      <div class="dice chosen">
        {[...value].map((face, i) => (
          <button type="button" class={`face ${lifted(i)}`} aria-label={`Take away the ${face}`} onClick={() => change(without(i))}>
            <Die face={face} size={52} />
          </button>
        ))}
        {Array.from({ length: Math.max(0, most - value.length) }, () => (
          <span class="face empty" />
        ))}
      </div>
      <small class="hint">
        {!whole ? `Click or type the ${need} you rolled.` : kept.includes(true) ? `Lifted: the dice to keep.` : ""}
      </small>
      {value.length < most && (
        <div class="dice">
          {all.map((face) => (
            <button type="button" class="face" aria-label={`Add a ${face}`} onClick={() => add(face)}>
              <Die face={face} />
            </button>
          ))}
        </div>
      )}
      <div class="row">
        <button type="button" onClick={() => change(thrown(most, sides))}>
          Roll for me
        </button>
        <button type="button" onClick={() => change("")}>
          Clear
        </button>
      </div>
    </Group>
  );
}
