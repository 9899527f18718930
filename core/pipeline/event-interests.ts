// The interests of consumers in events, on one side of a workspace: rows that consumers store in addition to their own, read by the
// statements that write events (event-writes.ts). Called by plugins that deliver events.
import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { TransactionScope } from '../storage/database.ts';

const removeAll = defineStatement((db, p: InterestOwner) =>
  db.deleteFrom('event_interests').where('consumer', '=', p.consumer).where('subject', '=', p.subscriberId),
);

const insert = defineStatement((db, p: InterestOwner & { pattern: string }) =>
  db.insertInto('event_interests').values({ pattern: p.pattern, consumer: p.consumer, subject: p.subscriberId }),
);

/** The owner of interests. */
export interface InterestOwner {
  /** `EventConsumer.id`. */
  readonly consumer: string;
  /** The id of the consumer's own row. */
  readonly subscriberId: string;
}

/**
 * Replaces the owner's interests on the handle's side; an empty list removes all of them. Refuses a handle on both sides.
 */
export async function setInterests(
  handle: WorkspaceHandle,
  owner: InterestOwner,
  patterns: readonly string[],
): Promise<void> {
  await handle.run(removeAll, owner);
  for (const pattern of new Set(patterns)) await handle.run(insert, { ...owner, pattern });
}

interface FourPatterns {
  readonly first: string;
  readonly second: string;
  readonly third: string;
  readonly fourth: string;
}

// The limit is a literal: SQLite prepares a statement again each time its limit is bound.
const anyOf = defineStatement((db, p: FourPatterns) =>
  db
    .selectFrom('event_interests')
    .select('subject')
    .where('pattern', 'in', [p.first, p.second, p.third, p.fourth])
    .limit(({ lit }) => lit(1)),
);

/** Whether any consumer has an interest in one of these patterns on the handle's side. An event has two to four of them. */
export async function hasInterest(
  handle: WorkspaceHandle,
  [first = '*', second = first, third = first, fourth = first]: readonly string[],
): Promise<boolean> {
  return (await handle.one(anyOf, { first, second, third, fourth })) !== undefined;
}

/** The results of look-ups in each transaction. */
const lookUps = new WeakMap<TransactionScope, Map<string, Promise<boolean>>>();

/** The same, but looked up only once per transaction, because the ends of many jobs share a transaction. */
export function hasInterestCached(
  scope: TransactionScope,
  handle: WorkspaceHandle,
  patterns: readonly string[],
): Promise<boolean> {
  const cache = lookUps.get(scope) ?? new Map<string, Promise<boolean>>();
  lookUps.set(scope, cache);
  const cacheKey = [handle.workspaceId, handle.sandbox, ...patterns].join(' ');
  const answer = cache.get(cacheKey) ?? hasInterest(handle, patterns);
  cache.set(cacheKey, answer);
  return answer;
}

/** The subjects of a consumer, on the handle's side, with an interest in one of these patterns; ordered by id. */
export async function subjectsInterested(
  handle: WorkspaceHandle,
  consumer: string,
  patterns: readonly string[],
): Promise<string[]> {
  const rows = await handle.db
    .selectFrom('event_interests')
    .select('subject')
    .distinct()
    .where('consumer', '=', consumer)
    .where('pattern', 'in', [...patterns])
    .orderBy('subject')
    .execute();
  return rows.map(({ subject }) => subject);
}

/** The consumers, on the handle's side, with an interest in one of these patterns. */
export async function consumersInterested({ db }: WorkspaceHandle, patterns: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('event_interests')
    .select('consumer')
    .distinct()
    .where('pattern', 'in', [...patterns])
    .execute();
  return rows.map(({ consumer }) => consumer);
}
