import { defineErrors, notFound } from '../../core/index.ts';
import { counted } from '../../core/unstable.ts';

/** Error codes of operations that resolve a template, to send it or to preview a send. */
export const templateErrors = [
  'template_not_found',
  'template_archived',
  'template_is_layout',
  'template_not_published',
  'layout_not_found',
  'layout_not_published',
  'variables_invalid',
] as const;

/** Error codes of operations that accept a message. */
export const acceptErrors = [
  ...templateErrors,
  'from_not_allowed',
  'header_invalid',
  'attachment_invalid',
  'attachment_too_large',
] as const;

export const errors = defineErrors({
  send_not_found: notFound('send', 'GET /v1/sends'),
  from_not_allowed: {
    status: 422,
    type: 'validation_error',
    description:
      "The sender's domain is not one of the workspace's sending domains. Use one of those, or have this one added.",
    message: (details: { domain: string; allowed: readonly string[] }) =>
      `Mail cannot be sent from ${details.domain}. Allowed: ${details.allowed.join(', ')}.`,
  },
  send_budget_exhausted: {
    status: 402,
    type: 'billing_error',
    description:
      'The monthly send budget is used up; nothing was sent. Wait for the next month (UTC), or ask the operator for a higher budget or a larger plan.',
    message: (details: { budget: number; plan: string; renewsAt: string }) =>
      `The budget of the plan ${details.plan}, ${counted(details.budget, 'send')} a month, is used up, and nothing was sent. The budget renews at ${details.renewsAt}. To send before that, the workspace needs a larger plan or a higher monthlySendBudget.`,
  },
  header_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'A header name is not an RFC 5322 token, or a value contains a line break or NUL; details name it.',
    message: () => 'A header is not valid: names are letters, digits and hyphens, and values contain no line breaks.',
  },
  attachment_invalid: {
    status: 422,
    type: 'validation_error',
    description:
      'An attachment is not strict base64, has an invalid name or type, or is an executable; details name it.',
    message: (details: { summary: string }) => details.summary,
  },
  attachment_too_large: {
    status: 413,
    type: 'validation_error',
    description:
      'The decoded attachments have more than 10 MB together. Send fewer or smaller files, or link to the files.',
    message: (details: { bytes: number; limit: number }) =>
      `The attachments decode to ${details.bytes} bytes; ${details.limit} are allowed together.`,
  },
  filter_conflict: {
    status: 400,
    type: 'validation_error',
    description: 'More than one of templateKey, status, to, apiKeyId and tag was given. Give one, or to and status.',
    message: (details: { given: readonly string[] }) =>
      `Give one filter, not ${details.given.join(' and ')}. Only to and status go together; since and until go with each.`,
  },
  batch_concurrency: {
    status: 429,
    type: 'rate_limit_exceeded',
    description: 'The workspace already has four batches in flight, the maximum. Wait until one of them has finished.',
    message: (details: { limit: number }) =>
      `The workspace has ${details.limit} batches in flight, the maximum. Send this one after one of them has finished.`,
  },
  send_at_invalid: {
    status: 422,
    type: 'validation_error',
    description: 'send_at is in the past or more than 30 days ahead.',
    message: () =>
      'send_at must lie between now and 30 days ahead. For a later mail, enroll the contact in a sequence with a delay.',
  },
});
