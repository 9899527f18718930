// Reads pictures of codes in a thread, one at a time: bounded in time and memory, so that no picture can hold up the
// service. One decoder belongs to one service; it starts nothing before the first picture.
import type { Worker } from 'node:worker_threads';
import { programBeside, startThread } from '../../../core/unstable.ts';
import { busy, errors } from '../errors.ts';
import type { DecodeReply, DecodeRequest, GreyPicture } from './protocol.ts';

/** Seconds for one picture; a picture of 1,024 px takes less than 0.1 on an idle machine. */
const defaultSeconds = 10;
/** Seconds until a new thread has loaded the package. */
const loadingSeconds = 60;
const idleSeconds = 60;
const threadMegabytes = 96;
const maxWaiting = 50;
/** The largest picture, in pixels. */
const maxPixels = 4_000_000;

export interface DecoderOptions {
  /** The thread's program. (Default: the one beside this file) */
  readonly file?: URL | string | undefined;
  /** (Default: 10) */
  readonly seconds?: number;
}

/** Reads codes. */
export interface Decoder {
  /**
   * The bytes of the code in the picture; undefined where no code is found, or not in time.
   * @throws qr_busy where too many pictures wait, qr_renderer_missing
   */
  decode(picture: GreyPicture, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Ends the thread. A later call starts it again. */
  stop(): Promise<void>;
}

type Outcome = DecodeReply | { readonly kind: 'exhausted' } | { readonly kind: 'stopped' };

/** Makes a decoder. */
export function createDecoder({ file, seconds = defaultSeconds }: DecoderOptions = {}): Decoder {
  let worker: Worker | undefined;
  let isLoaded = false;
  let settle: ((outcome: Outcome) => void) | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const end = (outcome: Outcome): void => {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    void ended?.terminate();
    settle?.(outcome);
  };

  const start = (): Worker => {
    const program = file ?? programBeside(import.meta.url, 'decode-worker');
    const started = startThread(program, {
      name: 'postrider-decode',
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    if (started === undefined) throw errors.qr_renderer_missing({ kind: 'file', name: 'decode-worker.js' });
    isLoaded = false;
    const own = (work: () => void) => () => {
      if (started === worker) work();
    };
    started.on('message', (reply: DecodeReply) => {
      if (started !== worker) return;
      isLoaded = true;
      settle?.(reply);
    });
    started.on('error', (error: Error & { readonly code?: string }) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      own(() => end(isFull ? { kind: 'exhausted' } : { kind: 'failed', message: error.message }))();
    });
    started.on(
      'exit',
      own(() => end({ kind: 'failed', message: 'The thread ended.' })),
    );
    return started;
  };

  const ask = (request: DecodeRequest): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      try {
        worker ??= start();
      } catch (error) {
        return reject(error);
      }
      const thread = worker;
      const timer = setTimeout(() => end({ kind: 'exhausted' }), (isLoaded ? seconds : loadingSeconds) * 1_000);
      settle = (outcome) => {
        settle = undefined;
        clearTimeout(timer);
        if (worker !== undefined) {
          worker.unref();
          idle = setTimeout(() => end({ kind: 'stopped' }), idleSeconds * 1_000).unref();
        }
        resolve(outcome);
      };
      // A caller waits: the process must not end before it was answered.
      thread.ref();
      thread.postMessage(request);
    });

  async function run(picture: GreyPicture, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    const outcome = await ask({ picture });
    switch (outcome.kind) {
      case 'decoded':
        return outcome.bytes ?? undefined;
      case 'exhausted':
        return undefined;
      case 'stopped':
        throw busy();
      case 'package_missing':
        throw errors.qr_renderer_missing({ kind: 'package', name: outcome.name });
      case 'failed':
        throw new Error(`The decoder of QR codes failed: ${outcome.message}`);
    }
  }

  return {
    async decode(picture, signal) {
      if (picture.width * picture.height > maxPixels) return undefined;
      if (waiting >= maxWaiting) throw busy();
      waiting += 1;
      const mine = turn
        .then(() => run(picture, signal))
        .finally(() => {
          waiting -= 1;
        });
      turn = mine.catch(() => undefined);
      return mine;
    },
    async stop() {
      const ended = worker;
      end({ kind: 'stopped' });
      await ended?.terminate();
    },
  };
}
