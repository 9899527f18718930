// Gives callers the few compile threads in the order of their requests, at most one thread for each workspace. Created by
// compiler.ts.
import { Turns } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { CompileThread, type ThreadOptions } from './compile-thread.ts';
import { THREADS, WAITING, WAITING_OF_WORKSPACE } from './limits.ts';

export class ThreadPool {
  readonly #all: readonly CompileThread[];
  readonly #turns: Turns<CompileThread>;

  constructor(options: ThreadOptions) {
    this.#all = Array.from({ length: THREADS }, () => new CompileThread(options));
    this.#turns = new Turns(this.#all, {
      maxWaiting: WAITING,
      maxWaitingOfKey: WAITING_OF_WORKSPACE,
      busy: () => errors.compiler_busy(),
    });
  }

  /**
   * Runs `work` with a thread of its own when it is this workspace's turn.
   * @throws compiler_busy if too many callers already wait; the signal's reason if it is aborted before the turn
   */
  use<T>(
    workspaceId: string,
    signal: AbortSignal | undefined,
    work: (thread: CompileThread) => Promise<T>,
  ): Promise<T> {
    return this.#turns.use(workspaceId, signal, work);
  }

  /** Refuses all waiting callers and ends every thread. */
  async stop(): Promise<void> {
    this.#turns.refuseAll();
    await Promise.all(this.#all.map((thread) => thread.stop()));
  }
}
