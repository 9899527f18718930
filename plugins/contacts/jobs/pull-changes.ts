// Who is new or changed at the program's, page by page. The cursor moves in the transaction that stores a page, and only
// from where it was: a job that runs twice, or beside another one, stores nothing twice and skips nothing.
import type { JobContext, ScheduleDeclaration } from '../../../core/index.ts';
import { defineJob, isStorageError, z } from '../../../core/index.ts';
import { upsertContacts } from '../batch.ts';
import type { SourceChanges } from '../options.ts';
import { inTime, patchesOf, tellUnstored } from '../source.ts';
import { readSourceCursor, saveSourceCursor } from '../store.ts';

export const pullJobKind = 'contacts.pull';

/** The next slot goes on where this one ended. */
const maxPages = 200;
/** Rows of one transaction. */
const batchSize = 500;

const changes = z.object({
  contacts: z.array(z.unknown()).max(10_000),
  cursor: z.string().max(10_000),
  more: z.boolean(),
});

/** Undefined where the source failed: the cursor stays, and the next slot asks again. */
async function askFor(ctx: JobContext, cursor: string | null): Promise<SourceChanges | undefined> {
  const { source, timeoutMs } = ctx.services.contactSource ?? {};
  if (source?.changes === undefined || timeoutMs === undefined) return undefined;
  try {
    const answer = await inTime(
      (options) => source.changes?.(ctx.workspace.id, cursor, options) ?? never(),
      timeoutMs,
      ctx.signal,
    );
    return changes.parse(answer) as SourceChanges;
  } catch (cause) {
    ctx.signal.throwIfAborted();
    ctx.log.warn(
      { workspace_id: ctx.workspace.id, cause: String(cause) },
      'the source of contacts failed; it is asked again',
    );
    return undefined;
  }
}

const never = (): Promise<never> => Promise.reject(new Error('The source has no changes.'));

/** Stores a page; false where somebody else moved the cursor meanwhile. */
async function take(ctx: JobContext, before: string | null, { contacts, cursor }: SourceChanges): Promise<boolean> {
  const patches = patchesOf(ctx, ctx.workspace.id, contacts);
  // Storing a page in parts is harmless: what is said twice changes nothing. The cursor comes with the last one.
  for (let start = 0; start < patches.length; start += batchSize) {
    const some = patches.slice(start, start + batchSize);
    const outcomes = await ctx.checkpoint((effects) => upsertContacts(ctx, effects, some));
    for (const result of outcomes)
      if (result.outcome === 'rejected') tellUnstored(ctx, ctx.workspace.id, undefined, result.reason);
  }
  if (cursor === before) return true;
  return ctx.checkpoint((effects) => saveSourceCursor(effects.trx, before, cursor, effects.now));
}

/** Others write contacts, too: what met them is asked for again at the next slot. */
const met = (error: unknown): boolean =>
  isStorageError(error, 'unique') || isStorageError(error, 'deadlock') || isStorageError(error, 'busy');

export const pullChanges = defineJob({
  kind: pullJobKind,
  payload: z.object({}),
  lane: 'outbound',
  timeoutMs: 600_000,
  // The next slot is the next try.
  retryDelaysMs: [],

  async handler(ctx) {
    for (let page = 0; page < maxPages; page += 1) {
      ctx.signal.throwIfAborted();
      const cursor = await ctx.read(readSourceCursor);
      const found = await askFor(ctx, cursor);
      if (found === undefined) break;
      const taken = await take(ctx, cursor, found).catch((error: unknown) => {
        if (!met(error)) throw error;
        return false;
      });
      if (!taken || !found.more) break;
    }
    await ctx.complete();
  },
});

/** Writes a job for each workspace. */
export const pullSchedule = (everyMs: number): ScheduleDeclaration => ({
  id: 'contacts.pull',
  description: "Asks the program's source of contacts what changed.",
  everyMs,
  run: (context) =>
    context.eachWorkspace(async (effects) => {
      effects.enqueue({ kind: pullJobKind, payload: {} });
    }),
});
