// URIs of resources: `postrider://notes/{key}` as a pattern that is filled and matched. Level 1 of RFC 6570: each `{name}`
// matches one percent-encoded segment. Pure; called by resources.ts, completion.ts and the kernel's checks.

/** A URI with `{name}`s. */
export interface UriPattern {
  readonly names: readonly string[];
  /** The URI with these values. */
  fill(values: Readonly<Record<string, string>>): string;
  /** The values in a URI; undefined if the URI does not match. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

const placeholder = /\{(\w+)\}/g;

/** The `{name}`s of a URI, in their order. */
export const uriNames = (uri: string): readonly string[] => [...uri.matchAll(placeholder)].map(([, name = '']) => name);

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function uriPattern(uri: string): UriPattern {
  const names = uriNames(uri);
  const literals = uri.split(placeholder).filter((_, at) => at % 2 === 0);
  const escaped = literals.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const pattern = new RegExp(`^${escaped.join('([^/?#]+)')}$`);
  return {
    names,
    fill: (values) => uri.replace(placeholder, (_, name: string) => encodeURIComponent(values[name] ?? '')),
    match(input) {
      const matches = pattern.exec(input);
      if (matches === null) return undefined;
      const values: [string, string][] = [];
      for (const [at, name] of names.entries()) {
        const value = decode(matches[at + 1] ?? '');
        if (value === undefined) return undefined;
        values.push([name, value]);
      }
      return Object.fromEntries(values);
    },
  };
}
