// The threads that compile: a few in all, one a workspace, in the order of asking. Made by compiler.ts.
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
   * Runs `work` with a thread of its own, once it is this workspace's turn.
   * @throws compiler_busy where too many wait already; the signal's reason where it is aborted before the turn
   */
  use<T>(
    workspaceId: string,
    signal: AbortSignal | undefined,
    work: (thread: CompileThread) => Promise<T>,
  ): Promise<T> {
    return this.#turns.use(workspaceId, signal, work);
  }

  /** Refuses all that wait, and ends every thread. */
  async stop(): Promise<void> {
    this.#turns.refuseAll();
    await Promise.all(this.#all.map((thread) => thread.stop()));
  }
}
