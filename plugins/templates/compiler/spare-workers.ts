// Idle workers of stopped services. Loading the compile packages takes about a second of processor time, so the next service of
// the process reuses such a worker: test suites open many services one after another. A worker that is not reused ends after a
// few seconds. Called by compile-thread.ts.
import type { Worker } from 'node:worker_threads';
import { SPARE_SECONDS, THREADS } from './limits.ts';

interface Spare {
  readonly worker: Worker;
  readonly program: string;
  readonly timer: NodeJS.Timeout;
}

const spares: Spare[] = [];

/** Removes the listeners of named events only, because a worker also listens to itself to start and stop its port. */
function dropListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

function forget(spare: Spare): void {
  clearTimeout(spare.timer);
  spares.splice(spares.indexOf(spare), 1);
  dropListeners(spare.worker);
}

/** Keeps an idle worker for another service. If there are enough idle workers, the oldest ends. */
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

/** Returns a worker that runs the program; undefined if there is none. */
export function takeSpare(program: string): Worker | undefined {
  const spare = spares.find((one) => one.program === program);
  if (spare === undefined) return undefined;
  forget(spare);
  return spare.worker;
}
