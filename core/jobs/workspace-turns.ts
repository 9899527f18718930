// What was claimed and not begun yet in one lane: workspaces take turns here, too. Called by the worker.

/** A queue in which every workspace that has something waits for one turn of each other at most. */
export class WorkspaceTurns<T extends { readonly workspaceId: string }> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: T): void {
    const line = this.#waiting.get(item.workspaceId);
    if (line === undefined) this.#waiting.set(item.workspaceId, [item]);
    else line.push(item);
    this.#size += 1;
  }

  /** The next in turn; its workspace goes to the end of the circle. */
  shift(): T | undefined {
    const next = this.#waiting.entries().next();
    if (next.done) return undefined;
    const [workspaceId, line] = next.value;
    const item = line.shift();
    this.#waiting.delete(workspaceId);
    if (line.length > 0) this.#waiting.set(workspaceId, line);
    this.#size -= 1;
    return item;
  }

  /** Everything, out of turn; the queue is empty then. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }
}
