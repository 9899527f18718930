// Mail over Postmark's API (postmarkapp.com/developer/api/email-api). Composed by the embedding program; exported by postmark.ts.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { MailAdapter, OutgoingMail } from '../../plugins/email/port/index.ts';
import { apiUrl, checkOption, httpMail } from '../kit/http-mail.ts';
import { base64Of, mailboxText, reportId } from '../kit/json-mail.ts';
import { textOf } from '../kit/report-fields.ts';

/** Options of `postmarkMail`. */
export interface PostmarkMailOptions {
  /** The Server API token. */
  readonly serverToken: string;
  /** (Default: outbound, the stream that every server has) */
  readonly messageStream?: string;
  /** (Default: https://api.postmarkapp.com) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

function messageOf(mail: OutgoingMail, messageStream: string): object {
  const headers = { ...mail.headers, 'Message-ID': mail.messageId, 'X-PM-KeepID': 'true' };
  return {
    From: mailboxText(mail.from, 'sender'),
    To: mailboxText(mail.to, 'recipient'),
    ...(mail.replyTo === undefined ? {} : { ReplyTo: mailboxText(mail.replyTo, 'reply address') }),
    Subject: mail.subject,
    ...(mail.html === '' ? {} : { HtmlBody: mail.html }),
    ...(mail.text === '' ? {} : { TextBody: mail.text }),
    Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
    Attachments: mail.attachments.map(({ filename, content, contentType, contentId, inline }) => ({
      Name: filename,
      Content: base64Of(content),
      ContentType: contentType,
      ...(inline && contentId !== undefined ? { ContentID: `cid:${contentId}` } : {}),
    })),
    // postmark.ts reads it in reports.
    Metadata: { 'message-id': reportId(mail) },
    MessageStream: messageStream,
  };
}

/** Codes for a sender that is not found or not confirmed. */
const senderFaultCodes = new Set(['400', '401']);
/** Codes for an account that may not send, is pending or blocked, or for an unknown stream. */
const serviceFaultCodes = new Set(['405', '412', '413', '1235']);

/** Sends through Postmark. Postmark does not suppress repeats. @throws TypeError for invalid options */
export function postmarkMail(options: PostmarkMailOptions): MailAdapter {
  checkOptions<PostmarkMailOptions>('postmarkMail', options, {
    serverToken: 'required',
    messageStream: 'optional',
    url: 'optional',
    timeoutMs: 'optional',
  });
  const { serverToken, messageStream = 'outbound', url = 'https://api.postmarkapp.com', timeoutMs } = options;
  checkOption(serverToken, 'serverToken', 'postmarkMail');
  const base = apiUrl(url, 'postmarkMail');
  return httpMail({
    id: 'postmark',
    timeoutMs,
    secrets: [serverToken],
    request: (mail) => ({
      url: `${base}/email`,
      headers: { 'content-type': 'application/json', 'x-postmark-server-token': serverToken },
      body: JSON.stringify(messageOf(mail, messageStream)),
    }),
    // The scope of the token: postmarkapp.com/developer/api/server-api
    check: () => ({ method: 'GET', url: `${base}/server`, headers: { 'x-postmark-server-token': serverToken } }),
    receipt: ({ fields }) => textOf(fields['MessageID']),
    errorMessage: (fields) => textOf(fields['Message']),
    refusal({ fields }, words) {
      const code = textOf(fields['ErrorCode']);
      if (code === '406' || (code === '300' && /\binvalid '?to'?\b/i.test(words))) return 'recipient';
      // An invalid or missing token.
      if (code === '10') return 'credentials';
      if (senderFaultCodes.has(code)) return 'sender';
      if (serviceFaultCodes.has(code)) return 'service';
      // Postmark's own code for maintenance. A 503 without it may come from a gateway, after Postmark accepted the message.
      return code === '100' ? 'busy' : undefined;
    },
  });
}
