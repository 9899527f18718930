// The types of custom events that contacts had. Every statement reads few rows, however many events there are: it finds each type by one index
// entry, and counts the contacts of a type only up to a limit.
import type { WorkspaceHandle } from '../../core/index.ts';

/** The maximum number of types. */
export const maxEventTypes = 100;
/** The maximum number of contacts that are counted for a type. */
export const maxCountedContacts = 1_000;

/** A type of custom events. */
export interface EventType {
  readonly type: string;
  /** The number of contacts that had such an event, at most `maxCountedContacts`. */
  readonly contacts: number;
  readonly areMore: boolean;
  /** The time of the last such event. */
  readonly lastAt: number;
}

async function typesFrom({ db }: WorkspaceHandle): Promise<string[]> {
  const types: string[] = [];
  for (;;) {
    const last = types.at(-1);
    let query = db.selectFrom('contact_activity').select('type').orderBy('type').limit(1);
    if (last !== undefined) query = query.where('type', '>', last);
    const row = await query.executeTakeFirst();
    if (row === undefined || types.length > maxEventTypes) return types;
    types.push(row.type);
  }
}

/** The types in alphabetical order, and whether there are more. */
export async function eventTypesOf(handle: WorkspaceHandle): Promise<{ types: EventType[]; areMore: boolean }> {
  const names = await typesFrom(handle);
  const types: EventType[] = [];
  for (const type of names.slice(0, maxEventTypes)) {
    const rows = await handle.db
      .selectFrom('contact_activity')
      .select('last_at')
      .where('type', '=', type)
      .orderBy('last_at', 'desc')
      .limit(maxCountedContacts + 1)
      .execute();
    const areMore = rows.length > maxCountedContacts;
    const contacts = Math.min(rows.length, maxCountedContacts);
    types.push({ type, contacts, areMore, lastAt: Number(rows[0]?.last_at) });
  }
  return { types, areMore: names.length > maxEventTypes };
}
