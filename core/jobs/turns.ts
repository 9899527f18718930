// What was claimed and not begun yet in one lane: those who share it take turns here, too. Called by the slots.

/** Something with a place in the circle: a workspace, or what its request named. */
export interface InTurn {
  readonly turn: string;
}

/** A queue in which everyone who has something waits for one item of each other at most. */
export class Turns<T extends InTurn> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of this one's wait. */
  waitingOf(turn: string): number {
    return this.#waiting.get(turn)?.length ?? 0;
  }

  add(item: T): void {
    const line = this.#waiting.get(item.turn);
    if (line === undefined) this.#waiting.set(item.turn, [item]);
    else line.push(item);
    this.#size += 1;
  }

  /** The next of those who may begin; whoever it belongs to goes to the end of the circle. */
  shift(mayBegin: (turn: string) => boolean = () => true): T | undefined {
    for (const [turn, line] of this.#waiting) {
      if (!mayBegin(turn)) continue;
      const item = line.shift();
      this.#waiting.delete(turn);
      if (line.length > 0) this.#waiting.set(turn, line);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Everything of one. */
  take(turn: string): T[] {
    const line = this.#waiting.get(turn) ?? [];
    this.#waiting.delete(turn);
    this.#size -= line.length;
    return line;
  }

  /** Everything, out of turn; the queue is empty then. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
