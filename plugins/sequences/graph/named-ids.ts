// Replaces the ids of lists and segments in a definition with their names. For pictures and pages only.
import type { ReadContext } from '../../../core/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import { namedReferences } from '../definition/references.ts';
import type { Definition } from '../definition/schema.ts';

/** Finds names by ids. A name is undefined if its list or segment was deleted, or cannot be read. */
interface NameLookup {
  list(id: string): Promise<string | undefined>;
  segment(id: string): Promise<string | undefined>;
}

/** Replaces every string that is an id, or a list path in a filter, with the name. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const isListPath = value.startsWith('list.');
    const name = names.get(isListPath ? value.slice('list.'.length) : value);
    if (name === undefined) return value;
    return isListPath ? `list ${name}` : name;
  }
  if (Array.isArray(value)) return value.map((one) => withNames(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, names)]));
}

/** The same definition with names instead of ids, for display. Ids without a name stay. */
export async function withNamesFrom<D extends Definition>(lookup: NameLookup, definition: D): Promise<D> {
  const names = new Map<string, string>();
  const references = namedReferences(definition);
  for (const kind of ['segment', 'list'] as const)
    for (const id of references[`${kind}s`]) {
      const name = await lookup[kind](id);
      if (name !== undefined) names.set(id, name);
    }
  return names.size === 0 ? definition : (withNames(definition, names) as D);
}

/** The same definition with names instead of ids, for display. Deleted lists and segments keep their ids. */
export function withResourceNames<D extends Definition>({ services, trx }: ReadContext, definition: D): Promise<D> {
  const segments: SegmentsService | undefined = services.segments;
  const lookup: NameLookup = {
    segment: async (id) => (await segments?.find(trx, id))?.name,
    list: async (id) => (await services.lists.find(trx, id))?.name,
  };
  return withNamesFrom(lookup, definition);
}
