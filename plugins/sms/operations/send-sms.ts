import { defineOperation } from '../../../core/index.ts';
import { acceptSms } from '../accept/accept.ts';
import { templateErrors } from '../errors.ts';
import { sendingEvents } from '../events.ts';
import { sendSmsBody, smsPublic } from '../schema.ts';
import { loginCode, orderShipped, someConsent, templateErrorCases } from './fixture-rows.ts';

const inTests = 'unreachable here: shown in test/plugins/sms-limits.test.ts' as const;

export const sendSms = defineOperation({
  id: 'sms.send',
  summary: 'Send a transactional SMS',
  description:
    'Accepts one message to one number. templateKey names one of the built-in templates. Except in class authentication, the number needs a consent: consentProofId names the proof. If the number answered STOP, the call does not fail: the response has the status suppressed. A reminder in quiet hours is held until their end.',
  http: 'POST /v1/messaging/transactional',
  tool: { name: 'send_transactional_sms', openWorld: true },
  searchWords: ['tell', 'inform', 'notify', 'customer'],
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
  leash: { recipients: () => 1 },
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
        ...templateErrorCases({ to }),
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
