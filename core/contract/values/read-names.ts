// Reads a value of JSON by the names of a path. Own properties only. Pure.

const own = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && !Array.isArray(holder) && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The value at these names; undefined if it is missing or null. A property whose own name contains the dots comes first. */
export function readNames(holder: unknown, names: readonly string[]): unknown {
  const whole = own(holder, names.join('.'));
  if (whole !== undefined) return whole ?? undefined;
  const [first = '', ...rest] = names;
  return rest.length === 0 ? undefined : readNames(own(holder, first), rest);
}
