import { decodeCursor, defineOperation, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { requiredMember } from '../members.ts';
import { decisionsOf, presentRequest } from '../present.ts';
import { actingAsMemberUid, contentKindId, requestResource } from '../schema.ts';
import { requestHeadRows, requestRows } from '../tables.ts';

const list = 'approvals.pending';
/** The maximum number of pending requests on a side of a workspace. */
const maxPending = 500;

export const listPending = defineOperation({
  id: list,
  summary: 'List the requests that wait for a decision',
  description: 'Oldest first. With mine=true, only requests that the acting member may decide on.',
  http: 'GET /v1/approvals/pending',
  tool: 'list_pending_approvals',
  scopes: ['approvals:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      surfaceKind: contentKindId.optional(),
      mine: z.stringbool().optional(),
      actingAsMemberUid,
    }),
  },
  output: listOf(requestResource),
  errors: ['cursor_invalid', 'member_not_allowed'],
  fixture: async () => ({
    errors: { member_not_allowed: async () => ({ query: { mine: 'true', actingAsMemberUid: 'u_nobody' } }) },
  }),
  exampleRow:
    'skipped: the only list with the oldest first; its pages are shown in test/plugins/approvals-decisions.test.ts',

  async handler(ctx, { query: { cursor, limit, mine = false, ...query } }) {
    const uid = mine ? requiredMember(ctx.actor, query.actingAsMemberUid) : undefined;
    const after = decodeCursor(list, cursor);
    const pending = await requestHeadRows.page(ctx.trx, {
      where: { status: 'pending', surface_kind: query.surfaceKind },
      limit: maxPending,
    });
    const decided = await decisionsOf(ctx.trx, uid === undefined ? [] : pending.map(({ id }) => id));
    const pageOfPending = pending
      .reverse()
      .filter(
        ({ id, created_at: at }) =>
          after === undefined || at > after.createdAt || (at === after.createdAt && id > after.id),
      )
      .filter(
        ({ id, barred, key_id: keyId, reviewers }) =>
          uid === undefined ||
          (!barred.includes(uid) &&
            (keyId === null || keyId !== ctx.actor.keyId) &&
            (reviewers.length === 0 || reviewers.includes(uid)) &&
            !decided.get(id)?.some((decision) => decision.uid === uid)),
      )
      .slice(0, limit + 1)
      .map(({ id }) => id);
    const rows = (await requestRows.findIn(ctx.trx, 'id', pageOfPending)).sort(
      (a, b) => pageOfPending.indexOf(a.id) - pageOfPending.indexOf(b.id),
    );
    const decisions = await decisionsOf(ctx.trx, pageOfPending);
    return toPage(list, rows, limit, requestRows.position, (row) => presentRequest(row, decisions.get(row.id) ?? []));
  },
});
