// The claimed jobs of one lane that have not begun, served round robin by concurrency key. Called by the slots.

/** What is served round robin by its key. */
export interface HasConcurrencyKey {
  readonly concurrencyKey: string;
}

/** A queue in which an item waits for one item of each other key at most, and for the earlier ones of its own. */
export class RoundRobinQueue<T extends HasConcurrencyKey> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many items of a key wait. */
  waitingOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  add(item: T): void {
    const line = this.#waiting.get(item.concurrencyKey);
    if (line === undefined) this.#waiting.set(item.concurrencyKey, [item]);
    else line.push(item);
    this.#size += 1;
  }

  /** The next item whose key may begin. Its key then goes to the end of the circle. */
  shift(mayBegin: (key: string) => boolean = () => true): T | undefined {
    for (const [key, line] of this.#waiting) {
      if (!mayBegin(key)) continue;
      const item = line.shift();
      this.#waiting.delete(key);
      if (line.length > 0) this.#waiting.set(key, line);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** All items of a key; they leave the queue. */
  take(key: string): T[] {
    const line = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    this.#size -= line.length;
    return line;
  }

  /** All items; the queue is empty then. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
