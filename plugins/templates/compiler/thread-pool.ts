// Hands out threads: a few in all, one a workspace, in the order of asking. Made by compiler.ts.
import { errors } from '../errors.ts';
import type { ThreadOptions } from './compile-thread.ts';
import { CompileThread } from './compile-thread.ts';
import { THREADS, WAITING, WAITING_OF_WORKSPACE } from './limits.ts';

interface Waiting {
  readonly workspaceId: string;
  readonly take: (thread: CompileThread) => void;
  readonly refuse: (error: Error) => void;
}

export class ThreadPool {
  readonly #free: CompileThread[];
  readonly #all: readonly CompileThread[];
  readonly #workspaces = new Set<string>();
  #waiting: Waiting[] = [];

  constructor(options: ThreadOptions) {
    this.#all = Array.from({ length: THREADS }, () => new CompileThread(options));
    this.#free = [...this.#all];
  }

  /**
   * Runs `work` with a thread of its own, once it is this workspace's turn.
   * @throws compiler_busy where too many wait already; the signal's reason where it is aborted before the turn
   */
  async use<T>(
    workspaceId: string,
    signal: AbortSignal | undefined,
    work: (thread: CompileThread) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const thread = await this.#take(workspaceId, signal);
    try {
      return await work(thread);
    } finally {
      this.#workspaces.delete(workspaceId);
      // Used again before the others: it has the packages loaded, and they may end for being idle.
      this.#free.unshift(thread);
      this.#next();
    }
  }

  /** Refuses all that wait, and ends every thread. */
  async stop(): Promise<void> {
    for (const { refuse } of this.#waiting.splice(0)) refuse(errors.compiler_busy());
    await Promise.all(this.#all.map((thread) => thread.stop()));
  }

  #take(workspaceId: string, signal: AbortSignal | undefined): Promise<CompileThread> {
    const own = this.#waiting.filter((waiting) => waiting.workspaceId === workspaceId).length;
    if (this.#waiting.length >= WAITING || own >= WAITING_OF_WORKSPACE) throw errors.compiler_busy();
    return new Promise((take, refuse) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== mine);
        refuse(signal?.reason);
      };
      const settled = () => signal?.removeEventListener('abort', leave);
      const mine: Waiting = {
        workspaceId,
        take(thread) {
          settled();
          take(thread);
        },
        refuse(error) {
          settled();
          refuse(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(mine);
      this.#next();
    });
  }

  /** A workspace uses one thread at a time, so that one with expensive templates cannot hold up all others. */
  #next(): void {
    const next = this.#waiting.find(({ workspaceId }) => !this.#workspaces.has(workspaceId));
    const thread = next === undefined ? undefined : this.#free.shift();
    if (next === undefined || thread === undefined) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#workspaces.add(next.workspaceId);
    next.take(thread);
  }
}
