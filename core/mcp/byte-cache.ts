// A cache that is bounded by the bytes of its entries: the least recently used entries are removed first. Used by tool-list.ts.

/** The memory of an entry in addition to its name and value: the map's slot, the objects of the entry and of a small value. */
export const entryBytes = 300;

/** Entries by name. */
export class ByteCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  readonly #maxBytes: number;
  readonly #sizeOf: (value: V) => number;
  #bytes = 0;

  /** `sizeOf`: the bytes of a value. Its name and `entryBytes` count, too. */
  constructor(maxBytes: number, sizeOf: (value: V) => number) {
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
  }

  /** The bytes of all entries, at most the bound. */
  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): V | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  /** Keeps the value, unless it alone is larger than the bound. */
  set(name: string, value: V): void {
    const bytes = entryBytes + 2 * name.length + this.#sizeOf(value);
    this.#drop(name);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}
