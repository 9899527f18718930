import { defineList, z } from '../../../core/index.ts';
import { presentSms, smsResponse } from '../present.ts';
import { smsPublic, smsStatus } from '../schema.ts';
import { timelinesOf } from '../store.ts';
import { smsRows } from '../tables.ts';
import { someSms } from './fixture-rows.ts';

export const listDeliveries = defineList({
  id: 'sms.deliveries',
  summary: 'List SMS',
  description: 'Newest first, with their timelines, by status or template. Codes and sign-in links are not shown.',
  http: 'GET /v1/messaging/transactional/deliveries',
  tool: 'list_sms_deliveries',
  searchWords: ['sent', 'texted', 'received', 'arrived'],
  scopes: ['messaging.transactional.read'],
  rows: smsRows,
  item: smsPublic,
  filters: { status: smsStatus.optional(), templateKey: z.string().min(1).max(200).optional() },
  load: ({ trx }, shown) => timelinesOf(trx, shown),
  present: (row, context, timelines) => smsResponse(context, row, presentSms(row, timelines.get(row.id) ?? [])),
  exampleRow: someSms,
  foreign: async () => ({ templateKey: 'skipped: the keys come with the service' }),
});
