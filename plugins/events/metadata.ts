// The rules for the metadata of custom events, and its flat form for the audit. Pure.
import { z } from '../../core/index.ts';

const maxBytes = 4_096;
/** The maximum nesting depth. The metadata object itself is the first level. */
const maxLevels = 5;
const namePattern = /^[a-z][a-z0-9_]{0,99}$/;

type Path = readonly (string | number)[];

/** A fault of a value, with its path. */
interface Fault {
  readonly path: Path;
  readonly message: string;
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Whether JSON preserves the value. In-process callers may pass a Map, a Date or another object. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const allowed =
  'A value is a string, a number, true, false, a list of these, or an object of such values; leave out null values.';

const snakeCase = 'Names are snake_case: a small letter, then small letters, digits and underscores.';

function faultsOf(value: unknown, path: Path, level: number): Fault[] {
  if (isScalar(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((member, index) => (isScalar(member) ? [] : [{ path: [...path, index], message: allowed }]));
  if (!isObject(value)) return [{ path, message: allowed }];
  if (level > maxLevels) return [{ path, message: `Objects are nested ${maxLevels} levels deep at most.` }];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(namePattern.test(name) ? [] : [{ path: [...path, name], message: snakeCase }]),
    ...faultsOf(member, [...path, name], level + 1),
  ]);
}

/** The metadata of a custom event. */
export const eventMetadata = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    const faults = faultsOf(value, [], 1);
    for (const { path, message } of faults) context.addIssue({ code: 'custom', path: [...path], message });
    // A value that is not allowed, such as a BigInt, may not be serialisable, so its size cannot be measured.
    if (faults.length > 0) return;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes > maxBytes)
      context.addIssue({
        code: 'custom',
        message: `The metadata has ${bytes} bytes as JSON; ${maxBytes} are allowed.`,
      });
  })
  .describe(
    'At most 4 KB as JSON. Keys are snake_case; values strings, numbers, booleans, lists of these, or objects of the same, 5 levels deep at most. No nulls.',
  );

/** One entry per value, with the names of its path joined by dots: `{ plan: { tier: 2 } }` under `metadata` is `metadata.plan.tier`. */
export function flatten(value: unknown, path: string): Record<string, string | number | boolean> {
  if (typeof value === 'object' && value !== null)
    return Object.assign({}, ...Object.entries(value).map(([name, member]) => flatten(member, `${path}.${name}`)));
  return { [path]: value as string | number | boolean };
}
