// A thread that does one piece of work after the other, within a limit of time and memory. Work that exceeds a limit
// ends the thread, and the next piece starts another. Nothing is started before the first piece; the thread ends after
// a minute without work. Its program posts `{ ready: true }` once it is loaded, then `{ result }` or `{ failure }` for
// each piece.
import type { Worker } from 'node:worker_threads';
import { startThread } from './thread-program.ts';

/** The outcome of a piece of work. */
export type WorkResult<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The work was aborted, and the thread was ended. */
  | { readonly kind: 'exhausted'; readonly limit: 'time' | 'memory' }
  | { readonly kind: 'program_missing' }
  /** The work threw an unexpected error, or the thread ended by itself. */
  | { readonly kind: 'failed'; readonly message: string };

export interface WorkThreadOptions {
  readonly name: string;
  /** The program; undefined if it cannot be found. */
  readonly file: URL | string | undefined;
  /** The largest number of seconds for one piece of work. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** A message from the program of the thread. */
export type WorkReply = { readonly ready: true } | { readonly result: unknown } | { readonly failure: string };

export interface WorkThread<Request, Result> {
  /** Does one piece of work, after all pieces that were requested before. The request and the result are copied. */
  run(request: Request): Promise<WorkResult<Result>>;
}

/** The time limit for loading the program. */
const loadingSeconds = 60;
const idleSeconds = 60;

export function createWorkThread<Request, Result>(options: WorkThreadOptions): WorkThread<Request, Result> {
  const { name, file, seconds, megabytes } = options;
  let worker: Worker | undefined;
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let settle: ((result: WorkResult<Result>) => void) | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const end = (result: WorkResult<Result>): void => {
    const endedWorker = worker;
    worker = undefined;
    clearTimeout(timer);
    void endedWorker?.terminate();
    settle?.(result);
  };
  const limit = (limitSeconds: number, result: WorkResult<Result>): void => {
    clearTimeout(timer);
    timer = setTimeout(() => end(result), limitSeconds * 1_000);
  };
  const limitWork = (): void => limit(seconds, { kind: 'exhausted', limit: 'time' });

  function read(reply: WorkReply): void {
    if ('ready' in reply) {
      isReady = true;
      if (settle !== undefined) limitWork();
    } else if ('failure' in reply) settle?.({ kind: 'failed', message: reply.failure });
    else settle?.({ kind: 'done', result: reply.result as Result });
  }

  function start(): Worker | undefined {
    isReady = false;
    const newWorker = startThread(file, { name, resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    newWorker?.on('message', (reply: WorkReply) => {
      if (newWorker === worker) read(reply);
    });
    newWorker?.on('error', (error: Error & { readonly code?: string }) => {
      if (newWorker !== worker) return;
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      end(isFull ? { kind: 'exhausted', limit: 'memory' } : { kind: 'failed', message: error.message });
    });
    newWorker?.on('exit', () => {
      if (newWorker === worker) end({ kind: 'failed', message: 'The thread ended.' });
    });
    return newWorker;
  }

  const work = (request: Request): Promise<WorkResult<Result>> =>
    new Promise((resolve) => {
      clearTimeout(timer);
      settle = (outcome) => {
        settle = undefined;
        clearTimeout(timer);
        if (worker !== undefined) {
          worker.unref();
          timer = setTimeout(() => end({ kind: 'failed', message: 'Idle.' }), idleSeconds * 1_000).unref();
        }
        resolve(outcome);
      };
      worker ??= start();
      if (worker === undefined) return settle({ kind: 'program_missing' });
      if (isReady) limitWork();
      else limit(loadingSeconds, { kind: 'failed', message: `Its program was not loaded after ${loadingSeconds} s.` });
      // A caller waits, so the process must not end before the answer arrives.
      worker.ref();
      worker.postMessage(request);
    });

  return {
    run(request) {
      const ownTurn = turn.then(() => work(request));
      turn = ownTurn;
      return ownTurn;
    },
  };
}
