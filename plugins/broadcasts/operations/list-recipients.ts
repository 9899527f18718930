import { decodeCursor, defineOperation, idParameter, listOf, pageQuery, toPage, z } from '../../../core/index.ts';
import { csvOf } from '../../../core/unstable.ts';
import { broadcastRows } from '../broadcasts.ts';
import { errors } from '../errors.ts';
import { presentRecipient, statesOf } from '../present-recipient.ts';
import { recipientResource, recipientStatus } from '../schema.ts';
import { recipientRows } from '../tables.ts';
import { someDraft } from './fixture-rows.ts';

type Recipient = z.output<typeof recipientResource>;

const columns = ['contactId', 'email', 'status', 'reason', 'variant', 'holdout', 'sendId', 'at'] as const;

const linesOf = (data: readonly Recipient[]): string[][] => [
  [...columns],
  ...data.map((one) => columns.map((name) => String(one[name] ?? ''))),
];

export const listRecipients = defineOperation({
  id: 'broadcasts.recipients',
  summary: 'List the recipients of a broadcast',
  description:
    'Every contact of the audience with its status, and the reason of an exclusion. Without contacts:read, contactId and email are left out.',
  http: 'GET /v1/broadcasts/{broadcastId}/recipients',
  tool: 'list_broadcast_recipients',
  searchWords: ['who', 'got', 'received', 'excluded', 'skipped'],
  scopes: ['broadcasts:read'],
  idempotency: 'read',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    query: z.object({
      ...pageQuery,
      status: recipientStatus.optional(),
      reason: z.string().min(1).max(200).optional().describe('Only recipients with this reason, such as suppressed.'),
    }),
  },
  output: listOf(recipientResource),
  representations: {
    'text/csv': {
      description:
        'The page of the list with a heading line, as UTF-8. Cells that a spreadsheet would run get a quote in front.',
      render: async ({ output }) => ({
        bytes: await csvOf(linesOf(output.data as Recipient[])),
        filename: 'recipients.csv',
      }),
    },
  },
  errors: ['broadcast_not_found', 'cursor_invalid'],
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    foreign: { params: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) } },
  }),
  exampleRow: 'skipped: only sending makes them: shown in test/plugins/broadcasts-sending.test.ts',

  async handler(ctx, { params: { broadcastId: id }, query: { cursor, limit, status, reason } }) {
    if ((await broadcastRows.find(ctx.trx, id)) === undefined) throw errors.broadcast_not_found({ id });
    const list = `broadcasts.recipients:${id}`;
    const recipients = await recipientRows.page(ctx.trx, {
      where: { broadcast_id: id, reason },
      conditions: status === undefined ? undefined : (recipient) => [recipient('state', 'in', statesOf(status))],
      after: decodeCursor(list, cursor),
      limit: limit + 1,
    });
    const withPerson = ctx.holds('contacts:read');
    return toPage(list, recipients, limit, recipientRows.position, (row) => presentRecipient(row, withPerson));
  },
});
