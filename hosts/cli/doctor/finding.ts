// The finding of a check, and the function that runs a check: within its time limit, and without ending the other checks.

/** One line of the doctor's output. A `note` is information, not a fault. */
export interface Finding {
  readonly state: 'good' | 'note' | 'bad';
  readonly name: string;
  /** A sentence with the solution. */
  readonly text: string;
}

/** Makes a finding. */
export const good = (name: string, text: string): Finding => ({ state: 'good', name, text });
export const note = (name: string, text: string): Finding => ({ state: 'note', name, text });
export const bad = (name: string, text: string): Finding => ({ state: 'bad', name, text });

/** The thrown error, on one line. */
export const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).trim().replace(/\s*\n\s*/g, ' ');

/** Runs a check within its limit; a thrown error and a timeout become findings. */
export async function checkWithin(
  name: string,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      controller.abort(new Error(`no answer within ${limitMs / 1_000} s`));
      resolve([bad(name, `There was no response within ${limitMs / 1_000} s.`)]);
    }, limitMs);
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } catch (cause) {
    return [bad(name, reasonOf(cause))];
  } finally {
    clearTimeout(timer);
  }
}
