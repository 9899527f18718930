// Idle workers of stopped services. Loading the packages that compile takes about a second of processor time, so the next
// service of the process takes such a worker over: a test suite opens one service after another. One that nothing takes
// ends after a few seconds. Called by compile-thread.ts.
import type { Worker } from 'node:worker_threads';
import { SPARE_SECONDS, THREADS } from './limits.ts';

interface Spare {
  readonly worker: Worker;
  readonly program: string;
  readonly timer: NodeJS.Timeout;
}

const spares: Spare[] = [];

/** By name: a worker also listens to itself, to start and stop its port. */
function dropListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

function forget(spare: Spare): void {
  clearTimeout(spare.timer);
  spares.splice(spares.indexOf(spare), 1);
  dropListeners(spare.worker);
}

/** Keeps an idle worker for another service. Where enough are kept, the oldest one ends. */
export function keepSpare(program: string, worker: Worker): void {
  dropListeners(worker);
  const timer = setTimeout(() => {
    forget(spare);
    void worker.terminate();
  }, SPARE_SECONDS * 1_000).unref();
  const spare: Spare = { worker, program, timer };
  spares.push(spare);
  worker.on('error', () => undefined);
  worker.once('exit', () => forget(spare));
  const [oldest] = spares;
  if (spares.length > THREADS && oldest !== undefined) {
    forget(oldest);
    void oldest.worker.terminate();
  }
}

/** A worker that runs the program, or undefined. */
export function takeSpare(program: string): Worker | undefined {
  const spare = spares.find((one) => one.program === program);
  if (spare === undefined) return undefined;
  forget(spare);
  return spare.worker;
}
