// Mail over SendGrid's API v3 (twilio.com/docs/sendgrid/api-reference/mail-send/mail-send). Composed by the embedding program;
// exported by sendgrid.ts.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { MailAdapter, OutgoingMail } from '../../plugins/email/port/index.ts';
import { apiUrl, checkOption, httpMail } from '../kit/http-mail.ts';
import { base64Of, jsonMailbox, reportId } from '../kit/json-mail.ts';
import { fieldsOf, listOf, textOf } from '../kit/report-fields.ts';

/** Options of `sendgridMail`. */
export interface SendgridMailOptions {
  /** A key with the permission Mail Send. */
  readonly apiKey: string;
  /** (Default: https://api.sendgrid.com; for a subuser in the EU https://api.eu.sendgrid.com) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

function messageOf(mail: OutgoingMail): object {
  const bodies = [
    { type: 'text/plain', value: mail.text },
    { type: 'text/html', value: mail.html },
  ];
  return {
    personalizations: [{ to: [jsonMailbox(mail.to, 'recipient')] }],
    from: jsonMailbox(mail.from, 'sender'),
    ...(mail.replyTo === undefined ? {} : { reply_to: jsonMailbox(mail.replyTo, 'reply address') }),
    subject: mail.subject,
    content: bodies.filter(({ value }) => value !== ''),
    ...(mail.attachments.length === 0
      ? {}
      : {
          attachments: mail.attachments.map(({ filename, content, contentType, contentId, inline }) => ({
            content: base64Of(content),
            filename,
            // SendGrid accepts no media type parameters here.
            type: contentType.split(';', 1)[0]?.trimEnd(),
            disposition: inline ? 'inline' : 'attachment',
            ...(inline && contentId !== undefined ? { content_id: contentId } : {}),
          })),
        }),
    headers: { ...mail.headers, 'Message-ID': mail.messageId },
    // Every event of the message repeats it, and sendgrid.ts reads it there.
    custom_args: { message_id: reportId(mail) },
  };
}

/** Sends through SendGrid. SendGrid does not suppress repeats. @throws TypeError for invalid options */
export function sendgridMail(options: SendgridMailOptions): MailAdapter {
  checkOptions<SendgridMailOptions>('sendgridMail', options, {
    apiKey: 'required',
    url: 'optional',
    timeoutMs: 'optional',
  });
  const { apiKey, url = 'https://api.sendgrid.com', timeoutMs } = options;
  checkOption(apiKey, 'apiKey', 'sendgridMail');
  const base = apiUrl(url, 'sendgridMail');
  return httpMail({
    id: 'sendgrid',
    timeoutMs,
    secrets: [apiKey],
    request: (mail) => ({
      url: `${base}/v3/mail/send`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(messageOf(mail)),
    }),
    // The permissions of the key: twilio.com/docs/sendgrid/api-reference/api-key-permissions
    check: () => ({ method: 'GET', url: `${base}/v3/scopes`, headers: { authorization: `Bearer ${apiKey}` } }),
    receipt: ({ headers }) => headers['x-message-id'],
    errorMessage: (fields) =>
      listOf(fields['errors'])
        .map((error) => textOf(fieldsOf(error)['message']))
        .join(' '),
    refusal({ status, fields }, words) {
      const refusedFields = listOf(fields['errors']).map((error) => textOf(fieldsOf(error)['field']));
      if (
        status === 400 &&
        refusedFields.length > 0 &&
        refusedFields.every((field) => /^personalizations\.0\.to\b/.test(field))
      )
        return 'recipient';
      if (status === 403 && /\b(?:from address|sender)\b/i.test(words)) return 'sender';
      // "The SendGrid v3 Web API is not available." Without this message, the 503 may come from a gateway after the message was
      // accepted.
      return status === 503 && refusedFields.length > 0 ? 'busy' : undefined;
    },
  });
}
