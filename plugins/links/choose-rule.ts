// Chooses the destination for a visitor: the destination of the first matching rule, otherwise the link's own. Pure.
import type { RouteRule } from './schema.ts';

/** The known facts about a visitor; undefined if unknown. */
export interface VisitorFacts {
  readonly country: string | undefined;
  readonly city: string | undefined;
  readonly device: string | undefined;
  readonly platform: string | undefined;
}

/** All URLs to which a link may lead. */
export const destinationsOf = (destinationUrl: string, rules: readonly RouteRule[]): readonly string[] => [
  ...new Set([destinationUrl, ...rules.map((rule) => rule.destinationUrl)]),
];

/** Normalises city names, ignoring case and accents: `Zürich` becomes `zurich`. */
const normalisedCity = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function matches({ match: { kind, values } }: RouteRule, visitor: VisitorFacts): boolean {
  const value = visitor[kind];
  if (value === undefined) return false;
  if (kind === 'city') return values.some((city) => normalisedCity(city) === normalisedCity(value));
  return (values as readonly string[]).includes(value);
}

/** The index of the first rule that matches; -1 for none. */
export const ruleFor = (rules: readonly RouteRule[], visitor: VisitorFacts): number =>
  rules.findIndex((rule) => matches(rule, visitor));
