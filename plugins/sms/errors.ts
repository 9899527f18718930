import { defineErrors } from '../../core/index.ts';
import { counted } from '../../core/unstable.ts';

/** The maximum number of segments of a message. */
export const segmentLimit = 6;

export const errors = defineErrors({
  sms_template_not_found: {
    status: 404,
    type: 'not_found_error',
    description:
      'The reserved key is not installed in the workspace. GET /v1/messaging/transactional/catalog lists the installed keys.',
    message: (details: { key: string }) =>
      `The SMS template ${details.key} is not installed here. GET /v1/messaging/transactional/catalog lists the installed keys.`,
  },
  sms_body_empty: {
    status: 422,
    type: 'validation_error',
    description: 'With these variables the text is empty. Give the variables that the text contains.',
    message: (details: { key: string }) => `The text of ${details.key} is empty with these variables.`,
  },
  phone_invalid: {
    status: 422,
    type: 'validation_error',
    description:
      "The number is not in E.164 form, does not exist in its country's numbering plan, or belongs to a premium service.",
    message: (details: { reason: string }) => `The number ${details.reason}.`,
  },
  country_not_allowed: {
    status: 422,
    type: 'validation_error',
    description:
      "The workspace sends no SMS to the number's country. The embedding program allows countries with service.sms.configure.",
    message: (details: { country: string; allowed: readonly string[] }) =>
      details.allowed.length === 0
        ? `No SMS are sent to ${details.country}: no country is allowed yet. The embedding program sets them with service.sms.configure(workspaceId, { countries: ['${details.country}'] }).`
        : `No SMS are sent to ${details.country}. Allowed: ${details.allowed.join(', ')}. The embedding program sets them with service.sms.configure.`,
  },
  consent_required: {
    status: 422,
    type: 'validation_error',
    description:
      'The send does not name a valid consent of this number. Record one with POST /v1/messaging/consents and give its id as consentProofId.',
    message: () =>
      'consentProofId must name a consent of this number that is in force and covers this class. POST /v1/messaging/consents records one.',
  },
  link_domain_not_allowed: {
    status: 422,
    type: 'validation_error',
    description:
      "The text has a link on a public link shortener, or a sign-in link outside the workspace's own short-link domains.",
    message: (details: { host: string; domains: readonly string[] | undefined }) => {
      if (details.domains === undefined)
        return `${details.host} is a generic link shortener, which carriers block. Use the link itself, or a short-link domain of your own.`;
      const allowed =
        details.domains.length === 0
          ? 'The workspace has none yet: the embedding program adds one.'
          : `The workspace has: ${details.domains.join(', ')}.`;
      return `A sign-in link must be on a short-link domain of the workspace, but ${details.host} is not one. ${allowed}`;
    },
  },
  message_too_long: {
    status: 422,
    type: 'validation_error',
    description: `The text has more than ${segmentLimit} segments. Shorten it, or replace the characters that are not GSM-7: the preview names them.`,
    message: (details: { segments: number }) =>
      `The text has ${details.segments} segments; ${segmentLimit} are allowed. POST /v1/messaging/transactional/preview shows which part makes it long.`,
  },
  sms_budget_exhausted: {
    status: 402,
    type: 'billing_error',
    description:
      'The monthly SMS budget is used up; nothing was sent. Wait for the next month (UTC), or ask the operator to raise monthlySmsBudget.',
    message: (details: { budget: number; plan: string; renewsAt: string }) =>
      `The budget of the plan ${details.plan}, ${counted(details.budget, 'SMS segment')} a month, is used up, and nothing was sent. The budget renews at ${details.renewsAt}. To send before that, the workspace needs a higher monthlySmsBudget.`,
  },
  sms_recipient_limit: {
    status: 429,
    type: 'rate_limit_exceeded',
    description:
      'This number has received as many SMS as one number may get in a short time. Wait before you send it another.',
    message: (details: { limit: number; minutes: number }) =>
      `This number got ${details.limit} SMS in ${details.minutes} minutes, which is the limit for one number. Nothing was sent.`,
  },
  sms_range_limit: {
    status: 429,
    type: 'rate_limit_exceeded',
    description:
      'Many numbers in one block of a thousand got SMS in a short time, which is typical of toll fraud. Protect your form against bots, or wait.',
    message: (details: { limit: number; minutes: number }) =>
      `More than ${details.limit} numbers of one block of a thousand in ${details.minutes} minutes look like toll fraud. Nothing was sent.`,
  },
});

/** Error codes of operations that render a template. */
export const templateErrors = ['sms_template_not_found', 'variables_invalid', 'sms_body_empty'] as const;
