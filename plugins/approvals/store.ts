// The SQL of the approvals plugin that the resource kit does not cover.
import type { AddressFinder, ContentJson, SweepContext, WorkspaceHandle } from '../../core/index.ts';
import { decisionsOf } from './present.ts';
import { decisionRows, type RequestRow, requestRows } from './tables.ts';

/** Descriptions of the requesting keys by id, such as `the MCP key “Agent”`. */
export async function describeKeys(
  handle: WorkspaceHandle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await handle.db.selectFrom('api_keys').select(['id', 'name', 'mode']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name, mode }) => [id, `the ${mode === 'mcp' ? 'MCP key' : 'key'} “${name}”`]));
}

/** Removes the differences of requests that were made before this time. Returns their number, at most `limit`. */
export async function removeDiffs(handle: WorkspaceHandle, before: number, limit: number): Promise<number> {
  const rows = await handle.db
    .selectFrom('approval_requests')
    .select('id')
    .where('created_at', '<', before)
    .where('diff', 'is not', null)
    .limit(limit)
    .execute();
  for (const { id } of rows) await requestRows.update(handle, id, { diff: null });
  return rows.length;
}

/** Requests are read in small batches, because each may contain hundreds of kilobytes of differences. */
const sweepBatch = 50;

/** The input of a call without the addresses. If the call may still run, only its note is changed. */
function cleanedInput({ input, status, execution }: RequestRow, finder: AddressFinder): ContentJson {
  if (status === 'pending' || execution === 'waiting')
    return typeof input['note'] === 'string' ? { ...input, note: finder.erase(input['note']) } : input;
  return JSON.parse(finder.eraseJson(JSON.stringify(input))) as ContentJson;
}

/** Removes addresses from texts that people wrote and from the differences. */
export async function sweepRequestTexts({ read, write, signal }: SweepContext, finder: AddressFinder): Promise<void> {
  const mentions = (...texts: (string | null)[]) => texts.some((text) => text !== null && finder.isIn(text));
  const cleaned = (text: string | null) => (text === null ? null : finder.erase(text));
  const requests = await read(async (handle) => {
    const affectedIds: string[] = [];
    for await (const rows of requestRows.each(handle, {}, sweepBatch)) {
      const ids = rows.map(({ id }) => id);
      const decisions = await decisionsOf(handle, ids);
      for (const { id, note, reason, summary, diff, input } of rows) {
        const comments = (decisions.get(id) ?? []).map(({ comment }) => comment);
        if (mentions(note, reason, summary, JSON.stringify(diff), JSON.stringify(input), ...comments))
          affectedIds.push(id);
      }
    }
    return affectedIds;
  });
  for (const id of requests) {
    if (signal.aborted) return;
    await write(async ({ trx }) => {
      const row = await requestRows.lock(trx, id);
      if (row === undefined) return;
      await requestRows.change(trx, row, {
        note: cleaned(row.note),
        reason: cleaned(row.reason),
        summary: finder.erase(row.summary),
        diff: row.diff === null ? null : (JSON.parse(finder.eraseJson(JSON.stringify(row.diff))) as typeof row.diff),
        input: cleanedInput(row, finder),
      });
      for (const decision of await decisionRows.findIn(trx, 'request_id', [id])) {
        if (decision.comment === null || !finder.isIn(decision.comment)) continue;
        await decisionRows.update(trx, decision.uid, { comment: cleaned(decision.comment) }, { request_id: id });
      }
    });
  }
}
