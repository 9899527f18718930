// Finds services that tests need in addition to Node and SQLite: servers, programs, a browser. Called by all code that looks for one of
// them. If a service is missing, its tests are left out, and a line says so. With POSTRIDER_TEST_SERVICES=none (as in `npm test`) no
// service is used, even if it is available. With `required` a missing service throws an error.

const servicesSetting = process.env.POSTRIDER_TEST_SERVICES;

/** True with POSTRIDER_TEST_SERVICES=none. */
export const servicesAreOff = servicesSetting === 'none';

/** Prints that tests are skipped, and why. @throws Error if services are required */
export function leaveOut(tests: string, reason: string): void {
  if (servicesSetting === 'required') throw new Error(`${tests} cannot run: ${reason}`);
  console.log(servicesAreOff ? `# left out: ${tests}` : `# left out: ${tests} (${reason})`);
}

/** The result of `look`. If it throws or services are off, `tests` are skipped and the result is undefined. */
export async function findService<T>(tests: string, look: () => Promise<T>): Promise<T | undefined> {
  try {
    if (!servicesAreOff) return await look();
    leaveOut(tests, '');
  } catch (error) {
    leaveOut(tests, error instanceof Error ? error.message || String(error) : String(error));
  }
  return undefined;
}

/** True if the service was found and services are not off. Otherwise prints that `tests` are skipped. @throws Error if it is required */
export function mayUse(tests: string, found: boolean, reason: string): boolean {
  if (found && !servicesAreOff) return true;
  leaveOut(tests, reason);
  return false;
}
