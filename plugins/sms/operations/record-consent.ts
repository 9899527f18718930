import { defineOperation } from '../../../core/index.ts';
import { phoneOf } from '../accept/accept.ts';
import { addConsent } from '../consent/consents.ts';
import { presentConsent } from '../present.ts';
import { consentBody, consentResource } from '../schema.ts';

/** Tolerance for a caller's clock that is slightly wrong. */
const skewMs = 60_000;

export const recordConsent = defineOperation({
  id: 'sms.consent_create',
  summary: 'Record a consent to SMS, or its withdrawal',
  description:
    'Adds a row to the ledger of consents: which number agreed, when, where, and to which words. Its id is the consentProofId of sends. With revoked: true it ends all earlier consents of the number, or those that cover the class. Rows are never changed or deleted.',
  http: 'POST /v1/messaging/consents',
  tool: 'record_sms_consent',
  scopes: ['messaging.transactional.send'],
  idempotency: 'replay',
  input: { body: consentBody },
  output: consentResource,
  status: 201,
  errors: ['phone_invalid', 'state_conflict'],
  retryOnConflict: true,
  audit: { action: 'sms.consent.create', target: ({ id }) => ({ kind: 'consent', id }) },
  fixture: async () => ({
    body: { to: '+14155550135', source: 'Checkout form', wording: 'Text me about my order.' },
    errors: {
      phone_invalid: async () => ({ body: { to: '5550135', source: 'Checkout form', wording: 'Text me.' } }),
      state_conflict: 'unreachable: only calls at the same instant, five times in a row, raise it',
    },
  }),

  async handler(ctx, { body }) {
    const { to, source, wording, class: kind, grantedAt = ctx.now, revoked } = body;
    if (!revoked && wording.trim() === '')
      ctx.refuse([{ path: 'wording', code: 'required', message: 'Give the exact words that the person agreed to.' }]);
    if (grantedAt > ctx.now + skewMs)
      ctx.refuse([{ path: 'grantedAt', code: 'in_future', message: 'A consent cannot be given in the future.' }]);
    const { number } = phoneOf(to);
    const row = await addConsent(ctx, {
      to: number,
      source,
      wording,
      class: kind ?? null,
      grantedAt: revoked ? null : grantedAt,
      revokedAt: revoked ? ctx.now : null,
    });
    ctx.note({ revoked, class: kind ?? 'all' });
    return presentConsent(row);
  },
});
