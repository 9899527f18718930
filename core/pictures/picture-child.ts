// One process that opens pictures, one at a time. The process is killed when a picture exceeds its time limit, because a
// decoder cannot be interrupted. Created by picture-pool.ts; starts no process before the first picture.
import type { ChildProcess } from 'node:child_process';
import { startProcess } from '../threads/start-process.ts';
import { programBeside } from '../threads/thread-program.ts';
import { frameOf, frameReader } from './message-frames.ts';
import type { PictureReply, PictureRequest } from './picture-messages.ts';

/** The time limit for the start of a process, in seconds. */
const loadingSeconds = 60;
/**
 * The process ends itself when its processor time exceeds the limit. If it does not, it is killed after the limit times
 * this factor.
 */
const killFactor = 4;

/** The outcome for one picture: a reply of the process, or the reason for a missing reply. */
export type PictureResult =
  | { readonly reply: Exclude<PictureReply, { kind: 'ready' }>; readonly bytes: Buffer }
  | 'out_of_time'
  | 'crashed'
  | 'stopped'
  | 'program_missing';

/** A picture to open. */
export interface PictureTask {
  readonly request: PictureRequest;
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** The options of a process. Tests change them. */
export interface ChildOptions {
  /** The program. (Default: the program in the folder of this file) */
  readonly file: URL | string | undefined;
  /** The process ends after this many seconds without work. */
  readonly idleSeconds: number;
}

interface Running {
  readonly task: PictureTask;
  readonly settle: (result: PictureResult) => void;
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

  /** The id of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Opens a picture. The previous picture must have ended. */
  open(task: PictureTask): Promise<PictureResult> {
    return new Promise((resolve) => {
      clearTimeout(this.#idle);
      const abort = (): void => this.#end('stopped');
      const settle = (result: PictureResult): void => {
        task.signal?.removeEventListener('abort', abort);
        resolve(result);
      };
      if (task.signal?.aborted === true) return settle('stopped');
      task.signal?.addEventListener('abort', abort, { once: true });
      this.#running = {
        task,
        settle,
        timer: this.#limit(this.#isReady ? task.request.seconds * killFactor : loadingSeconds),
      };
      this.#child ??= this.#start();
      if (this.#child === undefined) return this.#end('program_missing');
      // A caller waits, so the program must not end before the answer arrives.
      this.#keepAlive(true);
      if (this.#isReady) this.#send(task);
    });
  }

  /** Ends the process, even while it works on a picture. */
  stop(): void {
    this.#end('stopped');
  }

  #start(): ChildProcess | undefined {
    const child = startProcess(this.#options.file ?? programBeside(import.meta.url, 'picture-process'));
    if (child === undefined) return undefined;
    this.#isReady = false;
    const endIfCurrent = (result: PictureResult) => () => {
      if (child === this.#child) this.#end(result);
    };
    child.on('error', endIfCurrent('crashed'));
    child.on('exit', endIfCurrent('crashed'));
    // A write to a process that has ended fails here; the event `exit` handles its end.
    child.stdin?.on('error', () => undefined);
    const read = frameReader<PictureReply>((reply, bytes) => {
      if (child === this.#child) this.#read(reply, bytes);
    });
    child.stdout?.on('data', read);
    return child;
  }

  #send({ request, bytes }: PictureTask): void {
    this.#child?.stdin?.write(frameOf(request, bytes));
  }

  #read(reply: PictureReply, bytes: Buffer): void {
    const running = this.#running;
    if (reply.kind === 'ready') {
      this.#isReady = true;
      if (running === undefined) return;
      clearTimeout(running.timer);
      running.timer = this.#limit(running.task.request.seconds * killFactor);
      this.#send(running.task);
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
  #end(result: PictureResult): void {
    const child = this.#child;
    this.#child = undefined;
    this.#isReady = false;
    clearTimeout(this.#idle);
    child?.kill('SIGKILL');
    child?.unref();
    this.#settle(result);
  }

  #settle(result: PictureResult): void {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    if (this.#child !== undefined) {
      this.#keepAlive(false);
      this.#idle = setTimeout(() => this.#end('stopped'), this.#options.idleSeconds * 1_000).unref();
    }
    running?.settle(result);
  }

  /** Sets whether the program stays alive as long as the process of the pictures runs. */
  #keepAlive(isNeeded: boolean): void {
    // The pipes of Bun have no `ref`.
    const { stdin, stdout } = this.#child ?? {};
    const handles: readonly (Partial<Pick<ChildProcess, 'ref' | 'unref'>> | null | undefined)[] = [
      this.#child,
      ...([stdin, stdout] as never[]),
    ];
    for (const handle of handles) isNeeded ? handle?.ref?.() : handle?.unref?.();
  }
}
