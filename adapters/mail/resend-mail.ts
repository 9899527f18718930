// Mail over Resend's API (resend.com/docs/api-reference/emails/send-email). Composed by the embedding program; exported by
// resend.ts.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { MailAdapter, OutgoingMail } from '../../plugins/email/port/index.ts';
import { apiUrl, checkOption, httpMail, type MailProviderResponse, type ProviderRefusal } from '../kit/http-mail.ts';
import { base64Of, mailboxText, reportId } from '../kit/json-mail.ts';
import { textOf } from '../kit/report-fields.ts';

/** Options of `resendMail`. */
export interface ResendMailOptions {
  /** `re_…`. The permission Sending access is enough. */
  readonly apiKey: string;
  /** (Default: https://api.resend.com) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

/** Resend sets the Message-ID itself, so reports find the send by the tag. */
function messageOf(mail: OutgoingMail): object {
  return {
    from: mailboxText(mail.from, 'sender'),
    to: [mailboxText(mail.to, 'recipient')],
    ...(mail.replyTo === undefined ? {} : { reply_to: mailboxText(mail.replyTo, 'reply address') }),
    subject: mail.subject,
    ...(mail.html === '' ? {} : { html: mail.html }),
    // Otherwise Resend would generate a text from the HTML.
    text: mail.text,
    headers: mail.headers,
    attachments: mail.attachments.map(({ filename, content, contentType, contentId, inline }) => ({
      filename,
      content: base64Of(content),
      content_type: contentType,
      ...(inline && contentId !== undefined ? { content_id: contentId } : {}),
    })),
    tags: [{ name: 'message_id', value: reportId(mail) }],
  };
}

/** The errors whose meaning differs from their status (resend.com/docs/api-reference/errors). */
function refusalOf({ status, fields }: MailProviderResponse, message: string): ProviderRefusal | undefined {
  const name = textOf(fields['name']);
  // An earlier attempt with this key is being processed and may be accepted.
  if (name === 'concurrent_idempotent_requests') return 'unknown';
  if (name === 'invalid_api_key' || name === 'missing_api_key') return 'credentials';
  if (status === 422 && /^invalid [`'"]?to\b/i.test(message)) return 'recipient';
  if (name === 'invalid_from_address' || (status === 403 && /\bdomain is not verified\b/i.test(message)))
    return 'sender';
  return undefined;
}

/**
 * Sends through Resend, which suppresses repeats of one message for 24 hours (Idempotency-Key). @throws TypeError for invalid
 * options
 */
export function resendMail(options: ResendMailOptions): MailAdapter {
  checkOptions<ResendMailOptions>('resendMail', options, {
    apiKey: 'required',
    url: 'optional',
    timeoutMs: 'optional',
  });
  const { apiKey, url = 'https://api.resend.com', timeoutMs } = options;
  checkOption(apiKey, 'apiKey', 'resendMail');
  const base = apiUrl(url, 'resendMail');
  return httpMail({
    id: 'resend',
    idempotent: true,
    timeoutMs,
    secrets: [apiKey],
    request: (mail, { idempotencyKey }) => ({
      url: `${base}/emails`,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(messageOf(mail)),
    }),
    check: () => ({ method: 'GET', url: `${base}/domains`, headers: { authorization: `Bearer ${apiKey}` } }),
    // A key with Sending access may do nothing else, but it works.
    passes: ({ fields }) => textOf(fields['name']) === 'restricted_api_key',
    receipt: ({ fields }) => textOf(fields['id']),
    errorMessage: (fields) => textOf(fields['message']),
    refusal: refusalOf,
  });
}
