// The claimed jobs of one lane that have not begun, served round robin by concurrency key. Called by the slots.

export interface HasConcurrencyKey {
  readonly concurrencyKey: string;
}

/** A queue in which an item waits for at most one item of each other key, and for the earlier items of its own key. */
export class RoundRobinQueue<T extends HasConcurrencyKey> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of waiting items of a key. */
  waitingOf(key: string): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  add(item: T): void {
    const waiting = this.#waiting.get(item.concurrencyKey);
    if (waiting === undefined) this.#waiting.set(item.concurrencyKey, [item]);
    else waiting.push(item);
    this.#size += 1;
  }

  /** The next item whose key may begin. Its key then moves to the end of the circle. */
  shift(mayBegin: (key: string) => boolean = () => true): T | undefined {
    for (const [key, waiting] of this.#waiting) {
      if (!mayBegin(key)) continue;
      const item = waiting.shift();
      this.#waiting.delete(key);
      if (waiting.length > 0) this.#waiting.set(key, waiting);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Removes and returns all items of a key. */
  take(key: string): T[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    this.#size -= waiting.length;
    return waiting;
  }

  /** Removes and returns all items. */
  clear(): T[] {
    const waitingItems = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return waitingItems;
  }
}
