// The files of an explorer's data folder. `read(path)` returns the bytes of a file: a page fetches it, a test reads a
// disk. `asked(table, given)` returns a server's answer about a position, or null without a server.

const TYPES = { f8: Float64Array, i4: Int32Array, u2: Uint16Array, u1: Uint8Array };

export class Data {
  constructor(read, asked) {
    Object.assign(this, { read, asked });
    this.kept = new Map();
  }

  json(path) {
    return this.#once(path, async () => JSON.parse(new TextDecoder().decode(await this.read(path))));
  }

  /** {meta, columns: {name: typed array}} of a block (columns.py). */
  block(path) {
    return this.#once(path, async () => decode(await unzip(await this.read(path))));
  }

  #once(path, make) {
    if (!this.kept.has(path)) {
      const made = make();
      // Forget a failure: the file may be readable next time.
      made.catch(() => this.kept.delete(path));
      this.kept.set(path, made);
    }
    return this.kept.get(path);
  }
}

async function unzip(bytes) {
  const zipped = new Uint8Array(bytes);
  // Some servers send files already unzipped.
  if (zipped[0] !== 0x1f || zipped[1] !== 0x8b) return zipped;
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function decode(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const { meta, columns } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  let at = 4 + size;
  const next = (type, length) => {
    const width = TYPES[type].BYTES_PER_ELEMENT;
    const plain = new Uint8Array(length * width);
    for (let byte = 0; byte < width; byte++) {
      for (let i = 0; i < length; i++) plain[i * width + byte] = bytes[at++];
    }
    return new TYPES[type](plain.buffer);
  };
  const found = {};
  for (const { name, type, length, steps, listed } of columns) {
    const column = next(type, listed || length);
    if (steps) for (let i = 1; i < length; i++) column[i] += column[i - 1];
    const places = listed && next(listed < 256 ? "u1" : listed < 65536 ? "u2" : "i4", length);
    found[name] = listed ? Float64Array.from(places, (place) => column[place]) : column;
  }
  return { meta, columns: found };
}
