// Puts a fresh first page together with the older messages that were loaded before.
import type { MessageItem, MessagePage } from '../wire.ts';

const isOlder = (one: MessageItem, other: MessageItem): boolean =>
  one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);

/** A list, and where the messages after its end begin. */
export interface LoadedList {
  readonly items: readonly MessageItem[];
  readonly cursor: string | null;
}

/**
 * The list as it is now. What stood on the first page and is on none any more was removed, and goes. A page that holds
 * nothing known may have left messages out between itself and the older ones: the list begins anew from there.
 */
export function mergeFirstPage(before: LoadedList, page: MessagePage): LoadedList {
  const { data, next_cursor: cursor } = page;
  const last = data.at(-1);
  const known = new Set(before.items.map(({ id }) => id));
  if (last === undefined || !page.has_more || !data.some(({ id }) => known.has(id))) return { items: data, cursor };
  const older = before.items.filter((item) => isOlder(item, last));
  return { items: [...data, ...older], cursor: older.length === 0 ? cursor : before.cursor };
}

/** Ids that were not there before and are no older than what was. */
export function arrivals(before: readonly MessageItem[], page: MessagePage): string[] {
  const known = new Set(before.map(({ id }) => id));
  const [first] = before;
  return page.data
    .filter((item) => !known.has(item.id) && (first === undefined || isOlder(first, item)))
    .map(({ id }) => id);
}
