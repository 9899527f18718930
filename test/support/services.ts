// What tests use beside Node and SQLite: servers, programs, a browser. Called by whatever looks for one of them. Tests of what
// is missing are left out, which is printed: never silently. POSTRIDER_TEST_SERVICES says `none` where nothing of it is
// used even where it is there (as `npm test` does), and `required` where nothing may be missing.

const wish = process.env.POSTRIDER_TEST_SERVICES;

/** True with POSTRIDER_TEST_SERVICES=none. */
export const servicesAreOff = wish === 'none';

/**
 * Prints that tests are left out, and why.
 * @throws Error where services are required
 */
export function leaveOut(tests: string, reason: string): void {
  if (wish === 'required') throw new Error(`${tests} cannot run: ${reason}`);
  console.log(servicesAreOff ? `# left out: ${tests}` : `# left out: ${tests} (${reason})`);
}

/** What `look` finds; undefined where it throws or services are off: then `tests` are left out. */
export async function lookFor<T>(tests: string, look: () => Promise<T>): Promise<T | undefined> {
  try {
    if (!servicesAreOff) return await look();
    leaveOut(tests, '');
  } catch (error) {
    leaveOut(tests, error instanceof Error ? error.message || String(error) : String(error));
  }
  return undefined;
}

/** Whether something is there; where it is not, or services are off, `tests` are left out. */
export function mayUse(tests: string, found: boolean, reason: string): boolean {
  if (found && !servicesAreOff) return true;
  leaveOut(tests, reason);
  return false;
}
