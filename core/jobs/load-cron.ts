// Loads node-cron, which calls the schedules every second, when a process starts. Called by process-loops.ts only.
import { isMissingPackage, missingPackageMessage } from '../contract/errors/missing-package.ts';

type Cron = Pick<typeof import('node-cron'), 'schedule'>;

const purpose = 'which calls the schedules';

const bundled =
  'node-cron, which calls the schedules, does not load in this bundle, because import.meta.url is empty there. Leave packages out of the bundle (esbuild: --packages=external), or set import.meta.url as docs/bundlers.md shows. A process that only accepts requests need not be started.';

/** Loads node-cron's `schedule`. @throws Error with the solution, if node-cron was left out of a bundle or does not load in it */
export async function loadCron(load: () => Promise<Cron> = () => import('node-cron')): Promise<Cron['schedule']> {
  try {
    const { schedule } = await load();
    // esbuild runs a module once: after a first failure, the second import returns an empty module.
    if (typeof schedule === 'function') return schedule;
  } catch (cause) {
    if (isMissingPackage(cause)) throw new Error(missingPackageMessage('node-cron', purpose), { cause });
    // The code of the error that fileURLToPath(undefined) throws.
    if ((cause as { readonly code?: unknown } | null)?.code !== 'ERR_INVALID_ARG_TYPE') throw cause;
    throw new Error(bundled, { cause });
  }
  throw new Error(bundled);
}
