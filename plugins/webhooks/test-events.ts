// What a test posts: an example of the catalogue, or the form of a custom event.
import type { CustomEventData, EventDeclaration, Workspace } from '../../core/index.ts';
import { matchingEvents } from './check.ts';

type Catalogue = ReadonlyMap<string, EventDeclaration>;

const customExample: CustomEventData = {
  contact: { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: 'user-42', email: 'ada@example.com' },
  metadata: { example: true },
};

/** The first event that the patterns stand for; their own name, where they are not of the catalogue. */
export function firstEvent(catalogue: Catalogue, { plan }: Workspace, [first = '*']: readonly string[]): string {
  const known = matchingEvents(catalogue, first).find(({ minimumTier = 0 }) => minimumTier <= plan.tier);
  if (known !== undefined) return known.type;
  return first.endsWith('.*') ? `${first.slice(0, -1)}example` : first;
}

/** What is posted under this name. */
export function exampleEvent(catalogue: Catalogue, type: string) {
  const declared = catalogue.get(type);
  return declared === undefined
    ? { type, source: 'custom' as const, data: customExample }
    : { type, source: 'service' as const, data: declared.example };
}
