// Compiles a filter into a condition on contacts: one statement for each database, with the same meaning as
// interpret.ts for one contact. The statement must have contacts under the alias `contactAlias`.
import type { WorkspaceHandle } from '../../../core/index.ts';
import {
  allOf,
  always,
  anyOf,
  type Condition,
  dialectOf,
  isCondition,
  jsonFunctionsOf,
  leavesOf,
  negated,
  oneRow,
} from '../../../core/unstable.ts';
import { isDid, isSegment, isSend, type SegmentFilter } from '../filter-schema.ts';
import { contactAlias, type Target } from './columns.ts';
import { compareAttribute, compareFlag, compareTextColumn, compareTimeColumn } from './comparison.ts';
import { didCondition, isMember, isSubscribed, mailEvents, sendCondition, subscribesToTopic } from './rows.ts';

export { contactAlias, mailEvents };

/** The filters of the segments that a filter refers to, directly or through other segments. */
export type NamedFilters = ReadonlyMap<string, SegmentFilter>;

const attribute = 'contact.attributes.';
const people = `contacts as ${contactAlias}` as 'contacts as person';

/** Compiles a filter for statements of this handle. */
export function compileFilter(
  handle: WorkspaceHandle,
  filter: SegmentFilter,
  named: NamedFilters,
  now: number,
): Condition {
  const { db } = handle;
  const target: Target = { json: jsonFunctionsOf(dialectOf(db)), now };
  const conditionOf = (inner: SegmentFilter): Condition => {
    if ('all' in inner) return allOf((inner.all as SegmentFilter[]).map(conditionOf));
    if ('any' in inner) return anyOf((inner.any as SegmentFilter[]).map(conditionOf));
    if ('not' in inner) return negated(conditionOf(inner.not as SegmentFilter));
    if (isDid(inner)) return didCondition(db, target, inner);
    if (isSend(inner)) return sendCondition(db, target, inner);
    if (isSegment(inner)) return conditionOf(named.get(inner.segment) ?? { any: [] });
    if (!isCondition(inner)) return always;
    const { path } = inner;
    if (path.startsWith(attribute)) return compareAttribute(target, path.slice(attribute.length), inner);
    if (path.startsWith('list.')) {
      const membership = isMember(db, path.slice('list.'.length));
      return inner.value === true ? membership : negated(membership);
    }
    if (path.startsWith('topic.')) {
      const isSubscribedToTopic = subscribesToTopic(db, path.slice('topic.'.length));
      return inner.value === true ? isSubscribedToTopic : negated(isSubscribedToTopic);
    }
    switch (path) {
      case 'contact.subscribed':
        return compareFlag(target, isSubscribed(db, now), inner);
      case 'contact.created_at':
      case 'contact.updated_at':
        return compareTimeColumn(target, path.slice('contact.'.length), inner);
      default:
        return compareTextColumn(target, path.slice('contact.'.length), inner);
    }
  };
  return conditionOf(filter);
}

/** The number of values that the statement of a filter binds. Stops counting at more than `max`. */
export function parametersOf(handle: WorkspaceHandle, filter: SegmentFilter, named: NamedFilters, max: number): number {
  let total = 0;
  for (const leaf of leavesOf(filter)) {
    if (total > max) break;
    // The count does not depend on the time.
    total += isSegment(leaf)
      ? parametersOf(handle, named.get(leaf.segment) ?? { any: [] }, named, max - total)
      : handle.db
          .selectFrom(people)
          .select(oneRow)
          .where(compileFilter(handle, leaf, named, 0))
          .compile().parameters.length;
  }
  return total;
}
