// Ctrl-C and similar signals: the first requests an orderly end, the second ends the process at once. A supervising parent
// process can also request the end (development/supervise.ts). Made by run.ts.
import { CommandError } from '../../core/command-line.ts';

/** The state of an interruption. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code of an interrupted command, which shells use for the signal. */
  readonly exitCode: number;
}

/** The message with which the supervising process requests an orderly end. A closed connection has the same effect. */
export const stopMessage = 'postrider.stop';

export const interruptedError = (): CommandError => new CommandError('Interrupted.');

/** Returns the result of work that cannot be stopped. @throws CommandError if the end is requested before the work is done */
export async function unlessInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(interruptedError());
  });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const endLimitMs = 1_000;

const writeNotice = () => process.stderr.write('Stopping. Press Ctrl-C again to stop at once.\n');

/** Starts to listen for signals and for messages of the supervising process. */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number = exitCodes.SIGINT;
  const end = (signal: keyof typeof exitCodes) => {
    exitCode = exitCodes[signal];
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort();
    if (process.send === undefined) setTimeout(writeNotice, endLimitMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  if (process.send !== undefined) {
    process.on('message', (message) => {
      if (message === stopMessage) controller.abort();
    });
    process.on('disconnect', () => controller.abort());
    // The connection to the parent must not keep the process alive.
    process.channel?.unref();
  }
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
  };
}
