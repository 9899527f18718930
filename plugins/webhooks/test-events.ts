// The event that a test posts: an example from the catalogue, or an example of a custom event.
import type { EventDeclaration, ServicePorts, Workspace } from '../../core/index.ts';
import { matchingEvents } from './check-subscription.ts';

type Catalogue = ReadonlyMap<string, EventDeclaration>;

/** The first event that the first pattern matches; for a custom event, the pattern itself. */
export function firstEvent(catalogue: Catalogue, { plan }: Workspace, [first = '*']: readonly string[]): string {
  const example = matchingEvents(catalogue, first).find(({ minimumTier = 0 }) => minimumTier <= plan.tier);
  if (example !== undefined) return example.type;
  return first.endsWith('.*') ? `${first.slice(0, -1)}example` : first;
}

/** The example data of the event with this name. */
export function exampleEvent({ events, customEvents }: Pick<ServicePorts, 'events' | 'customEvents'>, type: string) {
  const declared = events.get(type);
  return declared === undefined
    ? { type, source: 'custom' as const, data: customEvents?.example ?? {} }
    : { type, source: 'service' as const, data: declared.example };
}
