import { defineOperation } from '../../../core/index.ts';
import { acceptSms } from '../accept.ts';
import { templateErrors } from '../errors.ts';
import { sendingEvents } from '../events.ts';
import { sendSmsBody, smsPublic } from '../schema.ts';
import { loginCode, orderShipped, someConsent, templateProvocations } from './fixture-rows.ts';

const inTests = 'unreachable here: shown in test/plugins/sms-limits.test.ts' as const;

export const sendSms = defineOperation({
  id: 'sms.send',
  summary: 'Send a transactional SMS',
  description:
    'Accepts one message to one number from a reserved key. The answer means that it survives any crash from here on; delivery follows. Outside of class authentication the number must have agreed: consentProofId names the proof. A number that answered STOP is no error: the answer says so. A reminder in quiet hours is held until their end.',
  http: 'POST /v1/messaging/transactional',
  tool: { name: 'send_transactional_sms', openWorld: true },
  scopes: ['messaging.transactional.send'],
  idempotency: 'replay',
  input: { body: sendSmsBody },
  output: smsPublic,
  status: 202,
  // The output may contain a login code.
  secretOutput: true,
  errors: [
    ...templateErrors,
    'phone_invalid',
    'country_not_allowed',
    'consent_required',
    'link_domain_not_allowed',
    'message_too_long',
    'sms_budget_exhausted',
    'sms_recipient_limit',
    'sms_range_limit',
  ],
  emits: sendingEvents,
  audit: { action: 'sms.send', target: ({ id }) => ({ kind: 'sms', id }) },
  fixture: async (kit) => {
    const to = '+14155550134';
    const change = (body: object) => async () => ({ body: { ...loginCode, to, ...body } });
    return {
      body: { ...loginCode, to },
      foreign: {
        body: { consentProofId: await someConsent(kit, kit.foreignWorkspaceId) },
        otherwise: { consentProofId: 'consent_required' },
      },
      errors: {
        ...templateProvocations({ to }),
        phone_invalid: change({ to: '+1415555' }),
        country_not_allowed: change({ to: '+447400123456' }),
        consent_required: change(orderShipped),
        link_domain_not_allowed: change({
          templateKey: 'auth_magic_link',
          variables: { url: 'https://bit.ly/3xYzAbC' },
        }),
        message_too_long: change({ templateKey: 'account_alert', variables: { message: '🔑'.repeat(300) } }),
        sms_budget_exhausted: inTests,
        sms_recipient_limit: inTests,
        sms_range_limit: inTests,
      },
    };
  },

  handler: (ctx, { body }) => acceptSms(ctx, ctx.services.smsRules, body),
});
