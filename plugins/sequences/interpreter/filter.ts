// Evaluates filters over the values of a run, with the meaning that filter-truth.ts of the core defines.
import { filterIsTrue } from '../../../core/unstable.ts';
import type { ActivityCondition, Filter } from '../definition/schema.ts';
import { type RunValues, readPath } from './paths.ts';

const attribute = 'contact.attributes.';
/** Names and addresses are never compared as times. */
const textPaths: ReadonlySet<string> = new Set(['contact.email', 'contact.external_id']);

/**
 * The value at a path of a filter. An attribute is found by its whole name, including dots, because attributes are
 * flat.
 */
function readValue(path: string, known: RunValues): unknown {
  if (!path.startsWith(attribute)) return readPath(path, known);
  const { attributes } = known.contact;
  const name = path.slice(attribute.length);
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? undefined) : undefined;
}

/** Whether a filter is true. `{}` and an undefined filter are always true. */
export const isTrue = (filter: Filter | undefined, known: RunValues): boolean =>
  filterIsTrue<ActivityCondition>(filter, {
    now: known.now,
    zone: known.zone,
    read: (path) => readValue(path, known),
    isPlain: (path) => textPaths.has(path),
    leaf: (activity) => known.did(activity),
  });
