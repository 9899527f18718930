import { defineList, givenId, givenTime, normaliseAddress, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { answerSend, presentSend } from '../present.ts';
import { sendPublic, sendStatus } from '../schema.ts';
import { sendRows, timelinesOf } from '../store.ts';
import { sentTemplate, someSend } from './fixture-rows.ts';

export const listSends = defineList({
  id: 'sends.list',
  summary: 'List sends',
  description:
    'Newest first, with their timelines. One filter at most, beside the times; to goes with status. A live key sees live sends; a sandbox key sees sandbox sends and all test sends.',
  http: 'GET /v1/sends',
  tool: 'list_sends',
  scopes: ['sends:read'],
  errors: ['filter_conflict'],
  provocations: { filter_conflict: async () => ({ query: { status: 'sent', templateKey: 'welcome' } }) },
  rows: sendRows,
  item: sendPublic,
  filters: {
    templateKey: z.string().min(1).max(200).optional().describe('Goes with since and until, and with no other filter.'),
    status: sendStatus.optional().describe('Goes with to, since and until, and with no other filter.'),
    to: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .describe('A recipient; compared in its normalised form. Goes with status, since and until.'),
    apiKeyId: givenId('key').optional().describe('Prefix key_. Goes with since and until, and with no other filter.'),
    since: givenTime.optional().describe('Accepted at or after this time.'),
    until: givenTime.optional().describe('Accepted before this time.'),
  },
  unequal: ['to', 'since', 'until'],
  conditions({ templateKey, status, to, apiKeyId, since, until }) {
    const given = Object.entries({ templateKey, status, to, apiKeyId }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    // An address has few sends, so their status is compared row by row.
    const isServed = given.length === 2 && to !== undefined && status !== undefined;
    if (given.length > 1 && !isServed) throw errors.filter_conflict({ given });
    return (columns) => [
      ...(to === undefined ? [] : [columns('to_normalised', '=', normaliseAddress(to))]),
      ...(since === undefined ? [] : [columns('created_at', '>=', since)]),
      ...(until === undefined ? [] : [columns('created_at', '<', until)]),
    ];
  },
  load: ({ trx }, shown) => timelinesOf(trx, shown),
  present: (row, context, timelines) => answerSend(context, row, presentSend(row, timelines.get(row.id) ?? [])),
  one: someSend,
  foreign: async (kit) => ({
    templateKey: await sentTemplate(kit, kit.foreignWorkspaceId),
    apiKeyId: await kit.apiKey(kit.foreignWorkspaceId),
  }),
});
