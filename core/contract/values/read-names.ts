// Reads a value of JSON by the names of a path. Own properties only. Pure.

const ownProperty = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && !Array.isArray(holder) && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The value at these names; undefined if it is missing or null. A property whose name is the whole dotted path takes precedence. */
export function readNames(holder: unknown, names: readonly string[]): unknown {
  const wholeValue = ownProperty(holder, names.join('.'));
  if (wholeValue !== undefined) return wholeValue ?? undefined;
  const [first = '', ...otherNames] = names;
  return otherNames.length === 0 ? undefined : readNames(ownProperty(holder, first), otherNames);
}
