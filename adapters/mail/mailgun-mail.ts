// Mail over Mailgun's API, as a whole MIME message (documentation.mailgun.com, "Send an email in MIME format"). Composed by the
// embedding program; exported by mailgun.ts.
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { MailAdapter, OutgoingMail } from '../../plugins/email/port/index.ts';
import { apiUrl, checkOption, httpMail, type MailRequest } from '../kit/http-mail.ts';
import { reportId } from '../kit/json-mail.ts';
import { wireMailbox } from '../kit/mail-fields.ts';
import { mimeSource } from '../kit/mime-source.ts';
import { textOf } from '../kit/report-fields.ts';

/** Options of `mailgunMail`. */
export interface MailgunMailOptions {
  /** A sending key of the domain is enough. */
  readonly apiKey: string;
  /** The sending domain, such as mg.example.com. */
  readonly domain: string;
  /** (Default: https://api.mailgun.net; for the EU https://api.eu.mailgun.net) */
  readonly url?: string;
  /** The time limit of one send, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

async function formOf(mail: OutgoingMail): Promise<Pick<MailRequest, 'body'> & { type: string }> {
  const form = new FormData();
  form.set('to', wireMailbox(mail.to, 'recipient').address);
  form.set('v:message_id', reportId(mail));
  form.set('message', new Blob([Buffer.from(await mimeSource(mail))], { type: 'message/rfc822' }), 'message.eml');
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { type, body: new Uint8Array(await encoded.arrayBuffer()) };
}

/** Sends through Mailgun. Mailgun does not suppress repeats. @throws TypeError for invalid options */
export function mailgunMail(options: MailgunMailOptions): MailAdapter {
  checkOptions<MailgunMailOptions>('mailgunMail', options, {
    apiKey: 'required',
    domain: 'required',
    url: 'optional',
    timeoutMs: 'optional',
  });
  const { apiKey, domain, url = 'https://api.mailgun.net', timeoutMs } = options;
  checkOption(apiKey, 'apiKey', 'mailgunMail');
  if (!/^[\w.-]+$/.test(domain)) throw new TypeError('mailgunMail: `domain` must be the name of the sending domain.');
  const base = apiUrl(url, 'mailgunMail');
  const login = Buffer.from(`api:${apiKey}`).toString('base64');
  return httpMail({
    id: 'mailgun',
    timeoutMs,
    secrets: [apiKey, login],
    async request(mail) {
      const { body, type } = await formOf(mail);
      const headers = { 'content-type': type, authorization: `Basic ${login}` };
      return { url: `${base}/v3/${domain}/messages.mime`, headers, body };
    },
    // A sending key may only send, so the check posts a message without a recipient. It is refused with 400 if the key is valid.
    check: () => ({
      method: 'POST',
      url: `${base}/v3/${domain}/messages.mime`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${login}` },
      body: '',
    }),
    passes: ({ status }, words) => status === 400 && !/\bdomain\b/i.test(words),
    receipt: ({ fields }) => textOf(fields['id']),
    errorMessage: (fields) => textOf(fields['message']),
    refusal({ status }, words) {
      if (status === 400 && /^'?to'? parameter is not a valid address/i.test(words)) return 'recipient';
      // "Domain … is not allowed to send", "Domain not found": the account is refused, not the message.
      return (status === 400 || status === 404) && /\bdomain\b/i.test(words) ? 'service' : undefined;
    },
  });
}
