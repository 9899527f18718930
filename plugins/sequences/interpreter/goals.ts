// Goals that a filter describes: which events may make one true, so that a waiting run ends at once and not at its next step.
// Called by the interpreter.
import { conditionsOf } from '../definition/filter-schema.ts';
import type { Filter, NodeOf } from '../definition/schema.ts';

const members = ['list_member.added', 'list_member.confirmed', 'list_member.removed'] as const;

/** The events that tell of a change of what a path reads; none for values that change with a step or with time alone. */
function eventsOf(path: string): readonly string[] {
  if (path.startsWith('list.')) return members;
  return path.startsWith('contact.') && path !== 'contact.subscribed' ? ['contact.updated'] : [];
}

/** The event types that end runs at a goal: its own, or those that may make its filter true. */
export function goalTypes({ type, filter }: Pick<NodeOf<'goal'>, 'type' | 'filter'>): readonly string[] {
  if (type !== undefined) return [type];
  const conditions = filter === undefined ? [] : conditionsOf(filter as Filter);
  return [...new Set(conditions.flatMap(({ path }) => eventsOf(path)))];
}
