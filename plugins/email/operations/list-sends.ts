import { defineList, idParameter, normaliseAddress, timeInput, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentSend, sendResponse } from '../present.ts';
import { sendPublic, sendStatus } from '../schema.ts';
import { listTagged, sendRows, timelinesOf } from '../store.ts';
import { sentTemplate, someSend } from './fixture-rows.ts';

export const listSends = defineList({
  id: 'sends.list',
  summary: 'List sends',
  description:
    'Newest first, with their timelines. At most one filter besides since and until; only to and status combine. A live key sees live sends; a sandbox key sees sandbox sends and all test sends.',
  http: 'GET /v1/sends',
  tool: { name: 'list_sends', inCoreToolset: true },
  searchWords: ['arrived', 'reach', 'received', 'opened', 'bounced', 'delivered', 'got', 'status', 'history', 'sent'],
  scopes: ['sends:read'],
  errors: ['filter_conflict'],
  errorCases: { filter_conflict: async () => ({ query: { status: 'sent', templateKey: 'welcome' } }) },
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
    apiKeyId: idParameter('key')
      .optional()
      .describe('Prefix key_. Goes with since and until, and with no other filter.'),
    tag: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('One of the tags of the send. Goes with since and until, and with no other filter.'),
    since: timeInput.optional().describe('Accepted at or after this time.'),
    until: timeInput.optional().describe('Accepted before this time.'),
  },
  customFilters: ['to', 'tag', 'since', 'until'],
  conditions({ templateKey, status, to, apiKeyId, tag, since, until }) {
    const filters = Object.entries({ templateKey, status, to, apiKeyId, tag }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    // An address has few sends, so their status is compared row by row.
    const isServed = filters.length === 2 && to !== undefined && status !== undefined;
    if (filters.length > 1 && !isServed) throw errors.filter_conflict({ given: filters });
    return (columns) => [
      ...(to === undefined ? [] : [columns('to_normalised', '=', normaliseAddress(to))]),
      ...(since === undefined ? [] : [columns('created_at', '>=', since)]),
      ...(until === undefined ? [] : [columns('created_at', '<', until)]),
    ];
  },
  // A tag has a list of its own, because a join with the list of all sends would read the whole list for a rare tag.
  find: ({ tag, since, until }, { trx }, page) =>
    tag === undefined ? undefined : listTagged(trx, { tag, since, until }, page),
  load: ({ trx }, rows) => timelinesOf(trx, rows),
  present: (row, context, timelines) => sendResponse(context, row, presentSend(row, timelines.get(row.id) ?? [])),
  exampleRow: someSend,
  foreign: async (kit) => ({
    templateKey: await sentTemplate(kit, kit.foreignWorkspaceId),
    apiKeyId: await kit.apiKey(kit.foreignWorkspaceId),
  }),
});
