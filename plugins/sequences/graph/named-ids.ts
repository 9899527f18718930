// Replaces the ids of lists and segments in a definition with their names. For pictures and pages only.
import type { ReadContext } from '../../../core/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import { namedReferences } from '../definition/references.ts';
import type { Definition } from '../definition/schema.ts';

/** Replaces every string that is an id, or a list path in a filter, with the name. */
function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const inFilter = value.startsWith('list.');
    const name = names.get(inFilter ? value.slice('list.'.length) : value);
    if (name === undefined) return value;
    return inFilter ? `list ${name}` : name;
  }
  if (Array.isArray(value)) return value.map((one) => withNames(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, names)]));
}

/** The same definition, for display. Deleted lists and segments keep their ids. */
export async function withResourceNames<D extends Definition>(
  { services, trx }: ReadContext,
  definition: D,
): Promise<D> {
  const names = new Map<string, string>();
  const references = namedReferences(definition);
  const segments: SegmentsService | undefined = services.segments;
  for (const id of references.segments) {
    const segment = await segments?.find(trx, id);
    if (segment !== undefined) names.set(id, segment.name);
  }
  for (const id of references.lists) {
    const list = await services.lists.find(trx, id);
    if (list !== undefined) names.set(id, list.name);
  }
  return names.size === 0 ? definition : (withNames(definition, names) as D);
}
