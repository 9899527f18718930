// Goals with a filter: finds the events that may make the filter true, so that a waiting run ends at once instead of at
// its next step. Called by the interpreter.
import { activitiesOf, conditionsOf } from '../definition/filter-schema.ts';
import type { Filter, NodeOf } from '../definition/schema.ts';

const memberEvents = ['list_member.added', 'list_member.confirmed', 'list_member.removed'] as const;

/** The events that report a change of the value at a path. Empty for values that change only with a step or with time. */
function eventsOf(path: string): readonly string[] {
  if (path.startsWith('list.')) return memberEvents;
  return path.startsWith('contact.') && path !== 'contact.subscribed' ? ['contact.updated'] : [];
}

/** The event types that can end runs at a goal: its own type, or the types that may make its filter true. */
export function goalTypes({ type, filter }: Pick<NodeOf<'goal'>, 'type' | 'filter'>): readonly string[] {
  if (type !== undefined) return [type];
  if (filter === undefined) return [];
  const changeEvents = conditionsOf(filter as Filter).flatMap(({ path }) => eventsOf(path));
  return [...new Set([...changeEvents, ...activitiesOf(filter as Filter).map(({ did }) => did)])];
}
