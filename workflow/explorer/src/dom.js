// Elements of the page, one line each.

/** An element: attributes (on... are listeners, others as in HTML, false and null omitted), then children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** The picture of a die, hidden from screen readers. */
export function die(face, size = 34) {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  const add = (tag, attributes) => {
    const element = document.createElementNS(ns, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    svg.append(element);
  };
  for (const [name, value] of Object.entries({ viewBox: "0 0 36 36", width: size, height: size, class: "die" })) {
    svg.setAttribute(name, value);
  }
  svg.setAttribute("aria-hidden", "true");
  add("rect", { x: 1.5, y: 1.5, width: 33, height: 33, rx: 7 });
  for (const pip of PIPS[face] ?? []) add("circle", { cx: 9 + 9 * (pip % 3), cy: 9 + 9 * Math.floor(pip / 3), r: 3.4 });
  return svg;
}

let numbered = 0;

/** An id for an element that another one refers to. */
export const unique = (name) => `${name}-${++numbered}`;
