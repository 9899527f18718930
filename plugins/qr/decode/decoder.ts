// Decodes pictures of codes in a thread, one at a time, with limits of time and memory, so that no picture can block the
// service. Each service has one decoder. It starts no thread before the first picture.
import type { Worker } from 'node:worker_threads';
import { programBeside, startThread } from '../../../core/unstable.ts';
import { busy, errors } from '../errors.ts';
import type { DecodeReply, DecodeRequest, GreyPicture } from './protocol.ts';

/** The time limit of one picture in seconds. A picture of 1,024 px takes less than 0.1 s on an idle machine. */
const defaultSeconds = 10;
/** The time limit of the first picture of a new thread in seconds, because the thread loads the package then. */
const loadingSeconds = 60;
const idleSeconds = 60;
const threadMegabytes = 96;
const maxWaiting = 50;
/** The largest picture, in pixels. */
const maxPixels = 4_000_000;

export interface DecoderOptions {
  /** The thread's program. (Default: the file `decode-worker` beside this file) */
  readonly file?: URL | string | undefined;
  /** The time limit of one picture in seconds. (Default: 10) */
  readonly seconds?: number;
}

/** Decodes pictures of codes. */
export interface Decoder {
  /**
   * The bytes of the code in the picture; undefined if no code is found in time.
   * @throws qr_busy if too many pictures wait, qr_renderer_missing
   */
  decode(picture: GreyPicture, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Stops the thread. A later call starts it again. */
  stop(): Promise<void>;
}

type Outcome = DecodeReply | { readonly kind: 'exhausted' } | { readonly kind: 'stopped' };

export function createDecoder({ file, seconds = defaultSeconds }: DecoderOptions = {}): Decoder {
  let worker: Worker | undefined;
  let isLoaded = false;
  let settle: ((result: Outcome) => void) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const end = (result: Outcome): void => {
    const endedWorker = worker;
    worker = undefined;
    clearTimeout(idleTimer);
    void endedWorker?.terminate();
    settle?.(result);
  };

  const start = (): Worker => {
    const program = file ?? programBeside(import.meta.url, 'decode-worker');
    const newWorker = startThread(program, {
      name: 'postrider-decode',
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    if (newWorker === undefined) throw errors.qr_renderer_missing({ kind: 'file', name: 'decode-worker.js' });
    isLoaded = false;
    const ifCurrent = (work: () => void) => () => {
      if (newWorker === worker) work();
    };
    newWorker.on('message', (reply: DecodeReply) => {
      if (newWorker !== worker) return;
      isLoaded = true;
      settle?.(reply);
    });
    newWorker.on('error', (error: Error & { readonly code?: string }) => {
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      ifCurrent(() => end(isFull ? { kind: 'exhausted' } : { kind: 'failed', message: error.message }))();
    });
    newWorker.on(
      'exit',
      ifCurrent(() => end({ kind: 'failed', message: 'The thread ended.' })),
    );
    return newWorker;
  };

  const sendRequest = (request: DecodeRequest): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      clearTimeout(idleTimer);
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
          idleTimer = setTimeout(() => end({ kind: 'stopped' }), idleSeconds * 1_000).unref();
        }
        resolve(outcome);
      };
      // While a caller waits, the thread keeps the process alive.
      thread.ref();
      thread.postMessage(request);
    });

  async function run(picture: GreyPicture, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    const result = await sendRequest({ picture });
    switch (result.kind) {
      case 'decoded':
        return result.bytes ?? undefined;
      case 'exhausted':
        return undefined;
      case 'stopped':
        throw busy();
      case 'package_missing':
        throw errors.qr_renderer_missing({ kind: 'package', name: result.name });
      case 'failed':
        throw new Error(`The decoder of QR codes failed: ${result.message}`);
    }
  }

  return {
    async decode(picture, signal) {
      if (picture.width * picture.height > maxPixels) return undefined;
      if (waiting >= maxWaiting) throw busy();
      waiting += 1;
      const result = turn
        .then(() => run(picture, signal))
        .finally(() => {
          waiting -= 1;
        });
      turn = result.catch(() => undefined);
      return result;
    },
    async stop() {
      const endedWorker = worker;
      end({ kind: 'stopped' });
      await endedWorker?.terminate();
    },
  };
}
