// Where a visitor of a link goes: the first rule that matches, else the link's own destination. Pure.
import type { RouteRule } from './schema.ts';

/** What is known of a visitor; undefined where it is not. */
export interface VisitorPlace {
  readonly country: string | undefined;
  readonly city: string | undefined;
  readonly device: string | undefined;
  readonly platform: string | undefined;
}

/** All URLs to which a link may lead. */
export const destinationsOf = (destinationUrl: string, rules: readonly RouteRule[]): readonly string[] => [
  ...new Set([destinationUrl, ...rules.map((rule) => rule.destinationUrl)]),
];

/** City names in any spelling of letters and accents: `Zürich` is `zurich`. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function matches({ match: { kind, values } }: RouteRule, visitor: VisitorPlace): boolean {
  const value = visitor[kind];
  if (value === undefined) return false;
  if (kind === 'city') return values.some((city) => plain(city) === plain(value));
  return (values as readonly string[]).includes(value);
}

/** The index of the first rule that matches; -1 for none. */
export const ruleFor = (rules: readonly RouteRule[], visitor: VisitorPlace): number =>
  rules.findIndex((rule) => matches(rule, visitor));
