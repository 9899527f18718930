// Reads new and changed contacts from the program's source, page by page. The cursor moves by compare-and-set after its page
// is stored, so repeated or concurrent runs of the job do not skip anything.
import { defineJob, type JobContext, type ScheduleDeclaration, z } from '../../../core/index.ts';
import type { SourceChanges } from '../options.ts';
import { logInvalidContact, patchesOf, withTimeLimit } from '../source.ts';
import { readSourceCursor, saveSourceCursor } from '../store.ts';
import { isWriteConflict, upsertContacts } from '../upsert-contacts.ts';

export const pullJobKind = 'contacts.pull';

/** The maximum number of pages per run. The next run of the schedule continues after them. */
const maxPages = 200;
/** The maximum number of contacts in one transaction. */
const batchSize = 500;

const changes = z.object({
  contacts: z.array(z.unknown()).max(10_000),
  cursor: z.string().max(10_000),
  more: z.boolean(),
});

/** Reads a page. Undefined if the source failed: the cursor stays, and the next run of the schedule calls the source again. */
async function readPage(ctx: JobContext, cursor: string | null): Promise<SourceChanges | undefined> {
  const { source, timeoutMs } = ctx.services.contactSource ?? {};
  if (source?.changes === undefined || timeoutMs === undefined) return undefined;
  try {
    const answer = await withTimeLimit(
      (options) => source.changes?.(ctx.workspace.id, cursor, options) ?? refuseChanges(),
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

const refuseChanges = (): Promise<never> => Promise.reject(new Error('The source has no changes.'));

/** Stores a page. Returns false if another run of the job has moved the cursor in the meantime. */
async function storePage(
  ctx: JobContext,
  before: string | null,
  { contacts, cursor }: SourceChanges,
): Promise<boolean> {
  const patches = patchesOf(ctx, ctx.workspace.id, contacts);
  // A page may be stored in parts, because storing a contact again changes nothing. The cursor moves after the last part.
  for (let start = 0; start < patches.length; start += batchSize) {
    const batch = patches.slice(start, start + batchSize);
    const outcomes = await ctx.checkpoint((tx) => upsertContacts(tx, batch));
    for (const result of outcomes)
      if (result.outcome === 'rejected') logInvalidContact(ctx, ctx.workspace.id, undefined, result.reason);
  }
  if (cursor === before) return true;
  return ctx.checkpoint((tx) => saveSourceCursor(tx.trx, before, cursor, tx.now));
}

export const pullChanges = defineJob({
  kind: pullJobKind,
  payload: z.object({}),
  lane: 'outbound',
  timeoutMs: 600_000,
  // No retries: the next run of the schedule tries again.
  retryDelaysMs: [],

  async handler(ctx) {
    for (let page = 0; page < maxPages; page += 1) {
      ctx.signal.throwIfAborted();
      const cursor = await ctx.read(({ trx }) => readSourceCursor(trx));
      const changesPage = await readPage(ctx, cursor);
      if (changesPage === undefined) break;
      const stored = await storePage(ctx, cursor, changesPage).catch((error: unknown) => {
        // The next run of the schedule reads the page again.
        if (!isWriteConflict(error)) throw error;
        return false;
      });
      if (!stored || !changesPage.more) break;
    }
    await ctx.complete();
  },
});

/** Enqueues a job for each workspace. */
export const pullSchedule = (everyMs: number): ScheduleDeclaration => ({
  id: 'contacts.pull',
  description: "Asks the program's source of contacts what changed.",
  everyMs,
  run: (ctx) =>
    ctx.eachWorkspace(async (tx) => {
      tx.enqueue({ kind: pullJobKind, payload: {} });
    }),
});
