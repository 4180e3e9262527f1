// The number of a key's row, from the tree of its columns; catalog/rows/row_numbers.py says how and why.

export class RowNumbers {
  /** Read the tree from the columns of a block: first_i, label_i and child_i for each of `depth` columns. */
  constructor(columns, depth) {
    this.levels = [];
    let rowsOf = null; // rows below each node of the next level
    for (let i = depth - 1; i >= 0; i--) {
      const [first, label, child] = ["first", "label", "child"].map((name) => columns[`${name}_${i}`]);
      const rows = Int32Array.from(child, (node) => (rowsOf ? rowsOf[node] : 1));
      const before = new Int32Array(rows.length);
      const nodes = new Int32Array(first.length - 1);
      for (let node = 0; node < nodes.length; node++) {
        for (let edge = first[node]; edge < first[node + 1]; edge++) {
          before[edge] = nodes[node];
          nodes[node] += rows[edge];
        }
      }
      this.levels.unshift({ first, label, before, rows, child });
      rowsOf = nodes;
    }
    this.length = rowsOf ? rowsOf[0] : 1;
  }

  /** The row of a key; -1 if there is none. */
  number(key) {
    const { row, rows } = this.span(key);
    return rows ? row : -1;
  }

  /** The first row of the keys that begin with `prefix`, their number, and the node they lead to. */
  span(prefix) {
    let [row, node, rows] = [0, 0, this.length];
    for (let i = 0; i < prefix.length; i++) {
      const level = this.levels[i];
      const edge = find(level.label, prefix[i], level.first[node], level.first[node + 1]);
      if (edge < 0) return { row: -1, rows: 0, node: -1 };
      row += level.before[edge];
      node = level.child[edge];
      rows = level.rows[edge];
    }
    return { row, rows, node };
  }

  /** The values of the next column in the keys that begin with `prefix`. */
  following(prefix) {
    const { rows, node } = this.span(prefix);
    if (!rows) return [];
    const { first, label } = this.levels[prefix.length];
    return Array.from(label.subarray(first[node], first[node + 1]));
  }
}

function find(labels, label, low, high) {
  const end = high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (labels[middle] < label) low = middle + 1;
    else high = middle;
  }
  return low < end && labels[low] === label ? low : -1;
}
