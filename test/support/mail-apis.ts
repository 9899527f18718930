// Local servers that accept mail as the documentation of five providers says, and refuse any other request. Used by the tests of the mail
// adapters.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { mailgunMail } from '../../adapters/mail/mailgun.ts';
import { postmarkMail } from '../../adapters/mail/postmark.ts';
import { resendMail } from '../../adapters/mail/resend.ts';
import { sendgridMail } from '../../adapters/mail/sendgrid.ts';
import { sesMail } from '../../adapters/mail/ses.ts';
import { createOutgoing } from '../../core/outgoing/index.ts';
import type { MailAdapter, MailAttachment, Mailbox } from '../../plugins/email/port/index.ts';
import type { MailSuiteTarget, ReceivedMail } from '../../plugins/email/testing/mail-suite.ts';
import { parseSunkMail } from './received-mail.ts';

/** A server's answer. */
export interface MailApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

interface ApiRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One provider: its adapter, the requests that it accepts, and its answers. */
export interface MailApi {
  readonly id: string;
  /** This text must never appear in an error. */
  readonly secret: string;
  readonly writesItself?: MailSuiteTarget['writesItself'];
  connect(url: string): MailAdapter;
  /** Checks the request strictly, and returns the message. */
  read(request: ApiRequest): Promise<ReceivedMail> | ReceivedMail;
  readonly accepted: MailApiResponse;
}

type Json = Record<string, unknown>;
const secret = 'key-0123456789abcdef';
const ownHeaders = ['date', 'message-id'] as const;

function jsonOf({ headers, body }: ApiRequest, allowed: readonly string[]): Json {
  assert.is(headers['content-type'], 'application/json');
  assert.is(headers['user-agent'], 'postrider');
  const fields = JSON.parse(body.toString()) as Json;
  for (const name of Object.keys(fields)) assert.ok(allowed.includes(name), `the field ${name} is documented`);
  return fields;
}

/** `"Name" <address>` or an address (RFC 5322). */
function mailboxOf(value: unknown): Mailbox {
  const [, name, address] = /^"((?:[^"\\]|\\.)*)" <([^<>]+)>$/.exec(String(value)) ?? [];
  if (name === undefined || address === undefined) return { email: String(value) };
  return { email: address, name: name.replace(/\\(.)/g, '$1') };
}

const withLowerCaseNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const attachmentOf = (name: unknown, type: unknown, content: unknown, contentId?: unknown): MailAttachment => ({
  filename: String(name),
  contentType: String(type),
  content: Buffer.from(String(content), 'base64'),
  inline: contentId !== undefined,
  ...(contentId === undefined ? {} : { contentId: String(contentId).replace(/^cid:/, '') }),
});

const noDate = new Date(0);
const list = (value: unknown): Json[] => (value ?? []) as Json[];

export const postmarkApi: MailApi = {
  id: 'postmark',
  secret,
  writesItself: ['date'],
  connect: (url) => postmarkMail({ serverToken: secret, url }),
  accepted: { status: 200, body: { To: 'x', MessageID: 'pm-1', ErrorCode: 0, Message: 'OK' } },
  read(request) {
    assert.is(request.path, '/email');
    assert.is(request.headers['x-postmark-server-token'], secret);
    const knownFields = [
      'From',
      'To',
      'ReplyTo',
      'Subject',
      'HtmlBody',
      'TextBody',
      'Headers',
      'Attachments',
      'Metadata',
    ];
    const fields = jsonOf(request, [...knownFields, 'MessageStream']);
    const headers = withLowerCaseNames(
      Object.fromEntries(list(fields['Headers']).map(({ Name, Value }) => [Name, Value])),
    );
    assert.is(headers['x-pm-keepid'], 'true');
    assert.is(fields['MessageStream'], 'outbound');
    const messageId = headers['message-id'] ?? '';
    assert.equal(fields['Metadata'], { 'message-id': messageId.slice(1).split('@')[0] });
    return {
      messageId,
      recipients: [mailboxOf(fields['To']).email],
      from: mailboxOf(fields['From']),
      to: mailboxOf(fields['To']),
      ...(fields['ReplyTo'] === undefined ? {} : { replyTo: mailboxOf(fields['ReplyTo']) }),
      subject: String(fields['Subject']),
      html: String(fields['HtmlBody']),
      text: String(fields['TextBody']),
      headers,
      attachments: list(fields['Attachments']).map((one) =>
        attachmentOf(one['Name'], one['ContentType'], one['Content'], one['ContentID']),
      ),
      date: noDate,
    };
  },
};

export const sendgridApi: MailApi = {
  id: 'sendgrid',
  secret,
  writesItself: ['date'],
  connect: (url) => sendgridMail({ apiKey: secret, url }),
  accepted: { status: 202, headers: { 'x-message-id': 'sg-1' } },
  read(request) {
    assert.is(request.path, '/v3/mail/send');
    assert.is(request.headers.authorization, `Bearer ${secret}`);
    const knownFields = ['personalizations', 'from', 'reply_to', 'subject', 'content', 'attachments', 'headers'];
    const fields = jsonOf(request, [...knownFields, 'custom_args']);
    const headers = withLowerCaseNames(fields['headers'] as Record<string, string>);
    const messageId = headers['message-id'] ?? '';
    assert.equal(fields['custom_args'], { message_id: messageId.slice(1).split('@')[0] });
    const [personalization] = list(fields['personalizations']);
    const to = (personalization?.['to'] as Mailbox[] | undefined)?.[0];
    assert.ok(to);
    const [text, html] = list(fields['content']);
    assert.equal([text?.['type'], html?.['type']], ['text/plain', 'text/html']);
    return {
      messageId,
      recipients: [to.email],
      from: fields['from'] as Mailbox,
      to,
      ...(fields['reply_to'] === undefined ? {} : { replyTo: fields['reply_to'] as Mailbox }),
      subject: String(fields['subject']),
      html: String(html?.['value']),
      text: String(text?.['value']),
      headers,
      attachments: list(fields['attachments']).map((one) => {
        assert.is(one['disposition'], one['content_id'] === undefined ? 'attachment' : 'inline');
        return attachmentOf(one['filename'], one['type'], one['content'], one['content_id']);
      }),
      date: noDate,
    };
  },
};

export const resendApi: MailApi = {
  id: 'resend',
  secret,
  writesItself: ownHeaders,
  connect: (url) => resendMail({ apiKey: secret, url }),
  accepted: { status: 200, body: { id: 're-1' } },
  read(request) {
    assert.is(request.path, '/emails');
    assert.is(request.headers.authorization, `Bearer ${secret}`);
    assert.match(String(request.headers['idempotency-key']), /^snd_/);
    const knownFields = ['from', 'to', 'reply_to', 'subject', 'html', 'text', 'headers', 'attachments', 'tags'];
    const fields = jsonOf(request, knownFields);
    const [tag] = list(fields['tags']);
    assert.is(tag?.['name'], 'message_id');
    assert.match(String(tag?.['value']), /^[\w-]{1,256}$/);
    const [to] = fields['to'] as string[];
    return {
      messageId: `<${String(tag?.['value'])}@example.com>`,
      recipients: [mailboxOf(to).email],
      from: mailboxOf(fields['from']),
      to: mailboxOf(to),
      ...(fields['reply_to'] === undefined ? {} : { replyTo: mailboxOf(fields['reply_to']) }),
      subject: String(fields['subject']),
      html: String(fields['html']),
      text: String(fields['text']),
      headers: withLowerCaseNames(fields['headers'] as Record<string, string>),
      attachments: list(fields['attachments']).map((one) =>
        attachmentOf(one['filename'], one['content_type'], one['content'], one['content_id']),
      ),
      date: noDate,
    };
  },
};

export const mailgunApi: MailApi = {
  id: 'mailgun',
  secret,
  connect: (url) => mailgunMail({ apiKey: secret, domain: 'mg.example.com', url }),
  accepted: { status: 200, body: { id: '<mg-1@mg.example.com>', message: 'Queued. Thank you.' } },
  async read({ path, headers, body }) {
    assert.is(path, '/v3/mg.example.com/messages.mime');
    assert.is(headers.authorization, `Basic ${Buffer.from(`api:${secret}`).toString('base64')}`);
    const type = headers['content-type'] ?? '';
    assert.match(type, /^multipart\/form-data; boundary=/);
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    assert.equal([...form.keys()].sort(), ['message', 'to', 'v:message_id']);
    const message = form.get('message');
    assert.ok(message instanceof File && message.name !== '');
    const raw = Buffer.from(await message.arrayBuffer());
    const mail = await parseSunkMail({ raw, recipients: [String(form.get('to'))] });
    assert.is(mail.messageId.slice(1).split('@')[0], form.get('v:message_id'));
    return mail;
  },
};

export const sesApi: MailApi = {
  id: 'ses',
  secret,
  connect: (url) =>
    sesMail({ region: 'eu-west-1', credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret }, url }),
  accepted: { status: 200, body: { MessageId: 'ses-1' } },
  async read(request) {
    assert.is(request.path, '/v2/email/outbound-emails');
    assert.match(
      String(request.headers.authorization),
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/ses\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    const fields = jsonOf(request, ['Destination', 'Content']);
    const { ToAddresses } = fields['Destination'] as { ToAddresses: string[] };
    const { Raw } = fields['Content'] as { Raw: { Data: string } };
    return parseSunkMail({ raw: Buffer.from(Raw.Data, 'base64'), recipients: ToAddresses });
  },
};

export const mailApis: readonly MailApi[] = [sesApi, postmarkApi, sendgridApi, resendApi, mailgunApi];

/** In a script: closes the connection without an answer */
export const breaksOff = 'breaks off';

/** Starts a server with its adapter. It gives the answers in `script`, and then accepts every request. */
export async function startMailApi(api: MailApi, script: (MailApiResponse | typeof breaksOff)[] = []) {
  const acceptedMail = new Map<string, ReceivedMail>();
  const faults: unknown[] = [];
  let requests = 0;
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests += 1;
    let answer = script.shift();
    if (answer === breaksOff) return request.socket.destroy();
    try {
      const mail = await api.read({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      if (answer === undefined) {
        answer = api.accepted;
        acceptedMail.set(String(request.headers['idempotency-key'] ?? requests), mail);
      }
    } catch (error) {
      faults.push(error);
      answer = { status: 400 };
    }
    const { status, headers = {}, body = '' } = answer;
    response.writeHead(status, headers);
    return response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outgoing = createOutgoing({ environment: 'development' });
  return {
    url,
    outgoing,
    adapter: api.connect(url),
    writesItself: api.writesItself ?? [],
    requests: () => requests,
    async received() {
      if (faults.length > 0) throw faults[0];
      return [...acceptedMail.values()];
    },
    async dispose() {
      await outgoing.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
