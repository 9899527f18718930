// The patterns that match an event, as subscriptions use them. Called wherever events are emitted, dispatched or subscribed
// to.
import type { EventDeclaration } from '../contract/declaration/events.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';

type Source = 'service' | 'custom';

interface Catalogue {
  readonly families: ReadonlySet<string>;
  readonly patternsByType: Readonly<Record<Source, Map<string, readonly string[]>>>;
}

/** The largest number of event types in the cache. It is limited because callers can invent any number of custom events. */
const maxCached = 2_000;

type Events = ReadonlyMap<string, EventDeclaration>;

const catalogues = new WeakMap<Events, Catalogue>();
const reservedFamilies = new WeakMap<Events, readonly string[]>();

/** Reserves families for the service, in addition to the families of the composed events. Called once, before the events are used. */
export function reserveFamilies(events: Events, families: readonly string[]): void {
  reservedFamilies.set(events, families);
}

/** `order.item.created` → `order`. */
export const familyOf = (type: string): string => type.split('.', 1)[0] as string;

/** `order.item.created` → `order.item.*`, `order.*`. */
function familyPatterns(type: string): string[] {
  const parts = type.split('.');
  return parts.slice(1).map((_, index) => `${parts.slice(0, parts.length - 1 - index).join('.')}.*`);
}

function catalogueOf(events: ReadonlyMap<string, EventDeclaration>): Catalogue {
  let cached = catalogues.get(events);
  if (cached === undefined) {
    const families = new Set([...(reservedFamilies.get(events) ?? []), ...[...events.keys()].map(familyOf)]);
    cached = { families, patternsByType: { service: new Map(), custom: new Map() } };
    catalogues.set(events, cached);
  }
  return cached;
}

/**
 * The patterns of an event: its type, its families and `*`. If a custom event's name is in the catalogue or in one of its
 * families, it matches `*` only: those names are reserved for the service's own events. `events`: the composed events.
 */
export function patternsOf(
  events: ReadonlyMap<string, EventDeclaration>,
  type: string,
  source: Source,
): readonly string[] {
  const { families, patternsByType } = catalogueOf(events);
  let cached = patternsByType[source].get(type);
  if (cached === undefined) {
    const usesReservedName = source === 'custom' && families.has(familyOf(type));
    cached = usesReservedName ? ['*'] : [...new Set([type, ...familyPatterns(type), '*'])];
    if (patternsByType[source].size < maxCached) patternsByType[source].set(type, cached);
  }
  return cached;
}

/** The reason why a program cannot emit a custom event under this name. Undefined for a free name. */
export function reservedFault(events: ReadonlyMap<string, EventDeclaration>, type: string): string | undefined {
  return events.has(type) ? reservedName(type) : undefined;
}

/** The sentence about a name of the service's own events. */
export const reservedName = (type: string): string =>
  `${type} is an event of the service itself, and is not taken from a program. Choose another name, such as my_${type}.`;

/**
 * The reason why a pattern cannot be subscribed to: its family is the service's own and has no such event. Undefined for a
 * valid pattern.
 */
export function patternFault(events: ReadonlyMap<string, EventDeclaration>, pattern: string): string | undefined {
  const family = familyOf(pattern);
  if (pattern === '*' || events.has(pattern) || !catalogueOf(events).families.has(family)) return undefined;
  const types = [...events.keys()];
  if (pattern.endsWith('.*') && types.some((type) => type.startsWith(pattern.slice(0, -1)))) return undefined;
  const siblings = types.filter((type) => familyOf(type) === family);
  if (siblings.length === 0)
    return `There is no event ${pattern}. The family ${family} is reserved for the service, and the composed plugins do not declare an event of it.`;
  // Compared without the family: all names share it, so all of them would look alike.
  const nameInFamily = (type: string): string => type.slice(family.length + 1);
  const hint = didYouMean(nameInFamily(pattern), siblings.map(nameInFamily), `${family}.`);
  return `There is no event ${pattern}.${hint} The family ${family} has ${siblings.join(', ')}.`;
}
