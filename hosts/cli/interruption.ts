// Ctrl-C and its kin: the first one asks for an orderly end, the second one ends the process at once. Also asked for by a
// process that started this one and watches over it (development/supervise.ts). Made by run.ts.
import { CommandError } from '../../core/index.ts';

/** Whether the end was asked for. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** How a command ends that it cut short: as shells tell the signal. */
  readonly exitCode: number;
}

/** What the watching process sends to ask for an orderly end; the end of the connection means the same. */
export const stopMessage = 'postrider.stop';

export const interruptedError = (): CommandError => new CommandError('Interrupted.');

/** What the work gives, unless the end is asked for before: for what cannot be stopped itself. @throws CommandError */
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

const patienceMs = 1_000;

const say = () => process.stderr.write('Ending in order; once more ends it at once.\n');

/** Listens from now on. */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number = exitCodes.SIGINT;
  const end = (signal: keyof typeof exitCodes) => {
    exitCode = exitCodes[signal];
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort();
    if (process.send === undefined) setTimeout(say, patienceMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  if (process.send !== undefined) {
    process.on('message', (message) => {
      if (message === stopMessage) controller.abort();
    });
    process.on('disconnect', () => controller.abort());
    // The connection alone keeps no process alive.
    process.channel?.unref();
  }
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
  };
}
