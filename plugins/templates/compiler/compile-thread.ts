// One compile thread. It starts at its first template and ends if a step takes too long or too much memory. Created by
// thread-pool.ts; compiler.ts gives it one mail at a time.
import type { Worker } from 'node:worker_threads';
import { programBeside, startThread } from '../../../core/unstable.ts';
import type { CompiledMailResult, CompileStep, MailSource } from '../language/compile.ts';
import { LOADING_SECONDS, THREAD_MEGABYTES } from './limits.ts';
import type { CompileReply, CompileRequest } from './protocol.ts';
import { keepSpare, takeSpare } from './spare-workers.ts';

/** The outcome of one mail. */
export type ThreadResult =
  | { readonly kind: 'compiled'; readonly result: CompiledMailResult }
  /** The mail was aborted, and the thread was ended. */
  | { readonly kind: 'exhausted'; readonly limit: 'time' | 'memory'; readonly step: CompileStep }
  | { readonly kind: 'package_missing'; readonly name: string }
  | { readonly kind: 'program_missing' }
  | { readonly kind: 'stopped' }
  /** The thread ended by itself, or the compiler failed unexpectedly. */
  | { readonly kind: 'failed'; readonly message: string };

export interface ThreadOptions {
  /** The path of the thread's program. (Default: the file beside the package's own files) */
  readonly file: URL | string | undefined;
  readonly stepSeconds: number;
  readonly idleSeconds: number;
}

/** The mail that a thread works on. */
interface Running {
  step: CompileStep;
  timer: NodeJS.Timeout;
  readonly settle: (result: ThreadResult) => void;
}

export class CompileThread {
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Compiles one mail; one at a time. @param fresh whether this mail begins another template */
  compile(source: MailSource, fresh: boolean): Promise<ThreadResult> {
    return new Promise((settle) => {
      clearTimeout(this.#idle);
      this.#running = { step: 'loading', timer: this.#limit(LOADING_SECONDS), settle };
      let worker: Worker | undefined;
      try {
        worker = this.#worker ??= this.#start();
      } catch (error) {
        return this.#settle({ kind: 'failed', message: `It could not be started: ${String(error)}` });
      }
      if (worker === undefined) return this.#settle({ kind: 'program_missing' });
      // Keeps the process alive, because a caller waits for the result.
      worker.ref();
      worker.postMessage({ source, isNewTemplate: fresh } satisfies CompileRequest);
    });
  }

  /** Ends the thread and its current work. An idle thread is kept a few seconds for the next service of the process. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker !== undefined && this.#running === undefined) {
      this.#worker = undefined;
      clearTimeout(this.#idle);
      keepSpare(this.#program, worker);
      return;
    }
    this.#end({ kind: 'stopped' });
    await worker?.terminate();
  }

  get #program(): string {
    return String(this.#options.file ?? '');
  }

  #start(): Worker | undefined {
    const worker =
      takeSpare(this.#program) ??
      startThread(this.#options.file ?? programBeside(import.meta.url, 'compile-worker'), {
        name: 'postrider-compile',
        resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
      });
    worker?.on('message', (reply: CompileReply) => {
      if (worker === this.#worker) this.#read(reply);
    });
    worker?.on('error', (error: Error & { readonly code?: string }) => {
      if (worker !== this.#worker) return;
      const step = this.#running?.step ?? 'loading';
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#end({ kind: 'exhausted', limit: 'memory', step });
      else this.#end({ kind: 'failed', message: error.stack ?? error.message });
    });
    worker?.on('exit', (code) => {
      if (worker === this.#worker) this.#end({ kind: 'failed', message: `It ended with code ${code}.` });
    });
    return worker;
  }

  #read(reply: CompileReply): void {
    if (reply.kind === 'ready') return;
    if (reply.kind !== 'step') {
      this.#settle(reply);
      return;
    }
    const running = this.#running;
    if (running === undefined) return;
    running.step = reply.step;
    clearTimeout(running.timer);
    running.timer = this.#limit(reply.step === 'loading' ? LOADING_SECONDS : this.#options.stepSeconds);
  }

  #limit(seconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      const step = this.#running?.step ?? 'loading';
      const late = `Loading the packages that compile took longer than ${seconds} s.`;
      this.#end(step === 'loading' ? { kind: 'failed', message: late } : { kind: 'exhausted', limit: 'time', step });
    }, seconds * 1_000);
  }

  /** Drops the thread, which may hang; the next template gets a new thread. */
  #end(result: ThreadResult): void {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    void worker?.terminate();
    this.#settle(result);
  }

  #settle(result: ThreadResult): void {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    if (this.#worker !== undefined) {
      this.#worker.unref();
      this.#idle = setTimeout(() => this.#end({ kind: 'stopped' }), this.#options.idleSeconds * 1_000);
      this.#idle.unref();
    }
    running?.settle(result);
  }
}
