// Refuses variables at the start of a URL that would run code. The check runs when a send is accepted, so that the caller gets
// the error: rendering, which would fail later, has no caller. Called by compiled-template.ts.
import type { VariableFault } from '../contract/validator.ts';
import type { Placeholder } from '../language/placeholders.ts';
import { isUnsafeUrl } from '../language/safe-url.ts';

/** The paths of the variables that begin a URL. Computed steps cannot be followed, so rendering checks them. */
export function urlPathsOf(placeholders: readonly Placeholder[]): readonly (readonly string[])[] {
  return placeholders.flatMap(({ url, path }) => (url && !path.includes('*') ? [path] : []));
}

function collect(value: unknown, path: readonly string[], at: string, faults: VariableFault[]): void {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (typeof value === 'string' && isUnsafeUrl(value)) {
      faults.push({ path: at, code: 'url_unsafe', message: 'This would be a link that runs or carries code.' });
    }
    return;
  }
  if (step === '[]') {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) collect(item, rest, `${at}.${index}`, faults);
    return;
  }
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) {
    collect((value as Record<string, unknown>)[step], rest, `${at}.${step}`, faults);
  }
}

/** Returns one fault for each unsafe value. */
export function findUnsafeUrls(
  paths: readonly (readonly string[])[],
  variables: Readonly<Record<string, unknown>>,
): VariableFault[] {
  const faults: VariableFault[] = [];
  for (const path of paths) collect(variables, path, 'variables', faults);
  return faults;
}
