import { emailAddress, givenTime, isoTime, personal, z } from '../../core/index.ts';

export const suppressionReason = z.enum(['hard_bounce', 'complaint', 'unsubscribe', 'manual']);
const scope = z.enum(['all', 'marketing']);

export const suppressionResource = z
  .object({
    email: z.string().describe('The normalised address.'),
    reason: suppressionReason,
    scope: scope.describe('marketing lets transactional and system mail through.'),
    send_id: z.string().nullable().describe('The send that caused it, where there is one.'),
    note: personal('words', z.string().nullable()),
    created_at: isoTime,
    expires_at: isoTime.nullable(),
  })
  .meta({ id: 'Suppression' });

export const newSuppression = z.object({
  email: emailAddress,
  reason: suppressionReason.default('manual').describe('Why; other than manual when importing from another provider.'),
  scope: scope.default('all'),
  note: z.string().max(500).nullable().default(null),
  expires_at: givenTime.nullable().default(null).describe('When mail may go there again; never, when left out.'),
});
