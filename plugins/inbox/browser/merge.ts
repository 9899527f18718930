// Merges a fresh first page with the older messages that were loaded before.
import type { MessageItem, MessagePage } from '../wire.ts';

const isOlder = (one: MessageItem, other: MessageItem): boolean =>
  one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);

/** A list, and the cursor of the messages after its end. */
export interface LoadedList {
  readonly items: readonly MessageItem[];
  readonly cursor: string | null;
}

/**
 * The page, followed by the messages of `before` that are older than it. Other messages of `before` that are not on the page were deleted.
 * If the page contains no known message, messages between it and the older ones may be missing, so the list starts again from the page.
 */
export function mergeFirstPage(before: LoadedList, page: MessagePage): LoadedList {
  const { data, next_cursor: cursor } = page;
  const last = data.at(-1);
  const known = new Set(before.items.map(({ id }) => id));
  if (last === undefined || !page.has_more || !data.some(({ id }) => known.has(id))) return { items: data, cursor };
  const older = before.items.filter((item) => isOlder(item, last));
  return { items: [...data, ...older], cursor: older.length === 0 ? cursor : before.cursor };
}

/** The ids of messages that were not listed before and are newer than the first listed message. */
export function arrivals(before: readonly MessageItem[], page: MessagePage): string[] {
  const known = new Set(before.map(({ id }) => id));
  const [first] = before;
  return page.data
    .filter((item) => !known.has(item.id) && (first === undefined || isOlder(first, item)))
    .map(({ id }) => id);
}
