// One process that opens pictures, one at a time. It is killed when its time is over: nothing else ends a decoder. Made by
// picture-desk.ts; it starts nothing before the first picture.
import type { ChildProcess } from 'node:child_process';
import { startProcess } from '../threads/start-process.ts';
import { programBeside } from '../threads/thread-program.ts';
import { frameOf, frameReader } from './frames.ts';
import type { PictureReply, PictureRequest } from './work.ts';

/** Seconds until a new process is ready. */
const loadingSeconds = 60;
/** The process ends itself when its time of the processor is over; one that does not is killed after so many times that. */
const patience = 4;

/** How one picture ended: an answer of the process, or what became of it. */
export type PictureOutcome =
  | { readonly reply: Exclude<PictureReply, { kind: 'ready' }>; readonly bytes: Buffer }
  | 'out_of_time'
  | 'crashed'
  | 'stopped'
  | 'program_missing';

/** A picture to open. */
export interface PictureErrand {
  readonly request: PictureRequest;
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** Options for tests. */
export interface ChildOptions {
  /** The program. (Default: the one beside this file) */
  readonly file: URL | string | undefined;
  /** After so long without work the process ends. */
  readonly idleSeconds: number;
}

interface Running {
  readonly errand: PictureErrand;
  readonly settle: (outcome: PictureOutcome) => void;
  timer: NodeJS.Timeout;
}

export class PictureChild {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #isReady = false;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Its process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Opens a picture. The one before must have ended. */
  open(errand: PictureErrand): Promise<PictureOutcome> {
    return new Promise((resolve) => {
      clearTimeout(this.#idle);
      const abort = (): void => this.#end('stopped');
      const settle = (outcome: PictureOutcome): void => {
        errand.signal?.removeEventListener('abort', abort);
        resolve(outcome);
      };
      if (errand.signal?.aborted === true) return settle('stopped');
      errand.signal?.addEventListener('abort', abort, { once: true });
      this.#running = {
        errand,
        settle,
        timer: this.#limit(this.#isReady ? errand.request.seconds * patience : loadingSeconds),
      };
      this.#child ??= this.#start();
      if (this.#child === undefined) return this.#end('program_missing');
      // A caller waits: this process must not end before it was answered.
      this.#hold(true);
      if (this.#isReady) this.#send(errand);
    });
  }

  /** Ends the process, also where it works on a picture. */
  stop(): void {
    this.#end('stopped');
  }

  #start(): ChildProcess | undefined {
    const child = startProcess(this.#options.file ?? programBeside(import.meta.url, 'picture-process'));
    if (child === undefined) return undefined;
    this.#isReady = false;
    const own = (outcome: PictureOutcome) => () => {
      if (child === this.#child) this.#end(outcome);
    };
    child.on('error', own('crashed'));
    child.on('exit', own('crashed'));
    // What is written to a process that has ended fails here; its end is told by `exit`.
    child.stdin?.on('error', () => undefined);
    const read = frameReader<PictureReply>((reply, bytes) => {
      if (child === this.#child) this.#read(reply, bytes);
    });
    child.stdout?.on('data', read);
    return child;
  }

  #send({ request, bytes }: PictureErrand): void {
    this.#child?.stdin?.write(frameOf(request, bytes));
  }

  #read(reply: PictureReply, bytes: Buffer): void {
    const running = this.#running;
    if (reply.kind === 'ready') {
      this.#isReady = true;
      if (running === undefined) return;
      clearTimeout(running.timer);
      running.timer = this.#limit(running.errand.request.seconds * patience);
      this.#send(running.errand);
      return;
    }
    const isLast = reply.kind === 'too_expensive' || reply.kind === 'package_missing' || reply.kind === 'failed';
    if (isLast) this.#end({ reply, bytes });
    else this.#settle({ reply, bytes });
  }

  #limit(seconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#end('out_of_time'), seconds * 1_000);
  }

  /** Kills the process: the next picture gets a new one. */
  #end(outcome: PictureOutcome): void {
    const child = this.#child;
    this.#child = undefined;
    this.#isReady = false;
    clearTimeout(this.#idle);
    child?.kill('SIGKILL');
    child?.unref();
    this.#settle(outcome);
  }

  #settle(outcome: PictureOutcome): void {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    if (this.#child !== undefined) {
      this.#hold(false);
      this.#idle = setTimeout(() => this.#end('stopped'), this.#options.idleSeconds * 1_000).unref();
    }
    running?.settle(outcome);
  }

  /** Whether this process stays for as long as the other runs. */
  #hold(isHeld: boolean): void {
    // The pipes of Bun cannot be held.
    const { stdin, stdout } = this.#child ?? {};
    const handles: readonly (Partial<Pick<ChildProcess, 'ref' | 'unref'>> | null | undefined)[] = [
      this.#child,
      ...([stdin, stdout] as never[]),
    ];
    for (const handle of handles) isHeld ? handle?.ref?.() : handle?.unref?.();
  }
}
