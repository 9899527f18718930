import { emailAddress, isoTime, parseAddress, personal, timeInput, z } from '../../core/index.ts';

export const suppressionReason = z.enum(['hard_bounce', 'complaint', 'unsubscribe', 'soft_bounces', 'manual']);
const scope = z.enum(['all', 'marketing']);

export const suppressionResource = z
  .object({
    email: z.string().describe('The normalised address.'),
    reason: suppressionReason,
    scope: scope.describe(
      'marketing stops only marketing mail. all stops all mail, but after an unsubscribe system mail is still sent.',
    ),
    send_id: z.string().nullable().describe('The send that caused it, if there is one.'),
    note: personal('text', z.string().nullable()),
    created_at: isoTime,
    expires_at: isoTime.nullable(),
  })
  .meta({ id: 'Suppression' });

/** Whether the text is a domain or a pattern: `x.example`, `@x.example`, `*@x.example`. Stored as an address, it would stop no mail. */
const isDomainOrPattern = (text: string): boolean =>
  text.startsWith('*') || text.includes('*@') || parseAddress(`a@${text.replace(/^@/, '')}`) !== undefined;

export const newSuppression = z.object({
  email: z
    .string()
    .refine((text) => !isDomainOrPattern(text), {
      message: 'A suppression applies to one address, not to a whole domain or a pattern: give each address.',
      abort: true,
    })
    .pipe(emailAddress)
    .describe('One address. Whole domains and patterns are refused.'),
  reason: suppressionReason.default('manual').describe('Use another reason only when importing from another provider.'),
  scope: scope.default('all'),
  note: z.string().max(500).nullable().default(null),
  expires_at: timeInput.nullable().default(null).describe('When the suppression ends. (Default: never)'),
});
