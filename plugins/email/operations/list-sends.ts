import {
  decodeCursor,
  defineOperation,
  givenTime,
  listOf,
  normaliseAddress,
  pageQuery,
  toPage,
  z,
} from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { answerSend, presentSend } from '../present.ts';
import { sendPublic, sendStatus } from '../schema.ts';
import { listSends as listRows } from '../store.ts';
import { someSend } from './fixture-rows.ts';

export const listSends = defineOperation({
  id: 'sends.list',
  summary: 'List sends',
  description: 'Newest first, with their timelines. One filter at most, beside the times.',
  http: 'GET /v1/sends',
  tool: 'list_sends',
  scopes: ['sends:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      ...pageQuery,
      templateKey: z.string().min(1).max(200).optional(),
      status: sendStatus.optional(),
      to: z.string().min(1).max(254).optional().describe('A recipient; compared in its normalised form.'),
      apiKeyId: z.string().min(1).max(100).optional(),
      since: givenTime.optional().describe('Accepted at or after this time.'),
      until: givenTime.optional().describe('Accepted before this time.'),
    }),
  },
  output: listOf(sendPublic),
  errors: ['cursor_invalid', 'filter_conflict'],
  fixture: async () => ({
    errors: { filter_conflict: async () => ({ query: { status: 'sent', to: 'ada@example.com' } }) },
  }),
  item: someSend,

  async handler(ctx, { query }) {
    const { templateKey, status, to, apiKeyId, since, until, limit } = query;
    const given = Object.entries({ templateKey, status, to, apiKeyId }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (given.length > 1) throw errors.filter_conflict({ given });
    const filter = {
      template_key: templateKey,
      status,
      api_key_id: apiKeyId,
      to_normalised: to === undefined ? undefined : normaliseAddress(to),
    };
    const { rows, events } = await listRows(
      ctx.trx,
      filter,
      { since, until },
      limit,
      decodeCursor('sends', query.cursor),
    );
    return toPage(
      'sends',
      rows,
      limit,
      (row) => ({ createdAt: row.created_at, id: row.id }),
      (row) => answerSend(ctx, row, presentSend(row, events.get(row.id) ?? [])),
    );
  },
});
