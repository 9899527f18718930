// The tests that every mail adapter must pass, run against a real counterpart: a server, or the adapter's own memory.
// An adapter's test file calls this with its own runner's `test(name, fn)`. Independent of vendors and test libraries.

import * as assert from 'node:assert/strict';
import {
  isMailError,
  type MailAdapter,
  type MailAttachment,
  MailError,
  type MailSendOptions,
  type OutgoingMail,
} from '../port/index.ts';

/** A message as read back from the provider. Header names are in lower case. */
export interface ReceivedMail extends OutgoingMail {
  /** The envelope recipients. The headers may not contain them. */
  readonly recipients: readonly string[];
}

/** One adapter with one empty counterpart. */
export interface MailSuiteTarget {
  readonly adapter: MailAdapter;
  /** The HTTP client for the adapter's requests. (Default: a client that cannot reach anything) */
  readonly outgoing?: MailSendOptions['outgoing'];
  /** Headers that this provider writes itself. They are not compared. (Default: none) */
  readonly writesItself?: readonly ('date' | 'message-id')[];
  /** The messages that the provider accepted, oldest first. */
  received(): Promise<readonly ReceivedMail[]>;
  /** Stops the counterpart. The suite closes the adapter itself. */
  dispose(): Promise<void>;
}

/** Creates a target for each test. */
export type MailSuiteHarness = () => Promise<MailSuiteTarget>;

/** Registers one test with the caller's runner. */
export type RegisterMailTest = (name: string, run: () => Promise<void>) => void;

/** A message with every field set. `overrides` replaces fields. */
export function sampleMail(overrides: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    messageId: '<snd_01h000000000000000000000@example.com>',
    from: { email: 'shop@example.com', name: 'Zoë’s Café, “Köln”' },
    to: { email: 'ada@example.net', name: 'Ada Løvelace' },
    replyTo: { email: 'help@example.com', name: 'Help' },
    subject: 'Ihre Rechnung №7 — danke schön 🎉',
    html: '<p>Grüße, <b>Ada</b></p><img src="cid:logo@example.com">',
    text: 'Grüße, Ada\n.\n..a line that starts with dots\n',
    headers: { 'X-Order': '4711', 'List-Unsubscribe': `<https://example.com/u/${'t'.repeat(200)}>` },
    attachments: [
      { filename: 'Rechnung №7.txt', contentType: 'text/plain', content: Buffer.from('1 × Kaffee\n'), inline: false },
      {
        filename: 'logo.png',
        contentType: 'image/png',
        content: Uint8Array.from({ length: 300 }, (_, index) => index % 256),
        inline: true,
        contentId: 'logo@example.com',
      },
    ],
    date: new Date('2026-03-01T10:20:30.000Z'),
    ...overrides,
  };
}

const refuseNetwork = async (): Promise<never> => {
  throw new MailError('transient', 'This test makes no requests.');
};

/** Options of a hand-over. By default, `signal` never fires. */
export function sampleSendOptions(overrides: Partial<MailSendOptions> = {}): MailSendOptions {
  return {
    signal: new AbortController().signal,
    idempotencyKey: 'snd_01h000000000000000000000',
    workspaceId: 'ws_1',
    sandbox: false,
    outgoing: { check: refuseNetwork, request: refuseNetwork, connect: refuseNetwork, close: async () => undefined },
    ...overrides,
  };
}

/** One message for each field that could carry a line break or a second recipient. */
export function hostileMails(payload: string): ReadonlyMap<string, OutgoingMail> {
  const bad = `x${payload}Bcc: evil@example.org`;
  const attachment: MailAttachment = {
    filename: 'a.txt',
    contentType: 'text/plain',
    content: Buffer.from('a'),
    inline: true,
    contentId: 'a@example.com',
  };
  return new Map<string, OutgoingMail>([
    ['subject', sampleMail({ subject: bad })],
    ['name of the sender', sampleMail({ from: { email: 'shop@example.com', name: bad } })],
    ['address of the sender', sampleMail({ from: { email: `${bad}@example.com` } })],
    ['name of the recipient', sampleMail({ to: { email: 'ada@example.net', name: bad } })],
    ['address of the recipient', sampleMail({ to: { email: `ada@example.net${payload}evil@example.org` } })],
    ['name of the reply address', sampleMail({ replyTo: { email: 'help@example.com', name: bad } })],
    ['reply address', sampleMail({ replyTo: { email: `help@example.com${payload}Bcc:evil@example.org` } })],
    ['message id', sampleMail({ messageId: `<a@example.com>${payload}Bcc: evil@example.org` })],
    ['header value', sampleMail({ headers: { 'X-Order': bad } })],
    ['header name', sampleMail({ headers: { [`X-Order${payload}Bcc`]: 'evil@example.org' } })],
    ['filename', sampleMail({ attachments: [{ ...attachment, filename: bad }] })],
    ['content type', sampleMail({ attachments: [{ ...attachment, contentType: `text/plain${payload}Bcc: a@b.c` }] })],
    ['content id', sampleMail({ attachments: [{ ...attachment, contentId: bad }] })],
  ]);
}

async function refusal(sending: Promise<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    assert.ok(isMailError(error), `a MailError, not ${String(error)}`);
    return error.fault;
  }
  return 'accepted';
}

const lines = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();

function assertSameMail(
  received: ReceivedMail | undefined,
  sent: OutgoingMail,
  { writesItself = [] }: MailSuiteTarget,
): void {
  assert.ok(received, 'the provider has the message');
  assert.deepEqual([...received.recipients], [sent.to.email]);
  if (!writesItself.includes('message-id')) assert.equal(received.messageId, sent.messageId);
  assert.deepEqual({ ...received.from }, { ...sent.from });
  assert.deepEqual({ ...received.to }, { ...sent.to });
  assert.deepEqual({ ...received.replyTo }, { ...sent.replyTo });
  assert.equal(received.subject, sent.subject);
  assert.equal(lines(received.html), lines(sent.html));
  assert.equal(lines(received.text), lines(sent.text));
  if (!writesItself.includes('date'))
    assert.equal(Math.floor(received.date.getTime() / 1_000), Math.floor(sent.date.getTime() / 1_000));
  for (const [name, value] of Object.entries(sent.headers)) assert.equal(received.headers[name.toLowerCase()], value);
}

function assertSameAttachments(received: readonly MailAttachment[], sent: readonly MailAttachment[]): void {
  const plain = (list: readonly MailAttachment[]): unknown[] =>
    list
      .map((attachment) => ({ ...attachment, content: Buffer.from(attachment.content).toString('base64') }))
      .sort((a, b) => a.filename.localeCompare(b.filename));
  assert.deepEqual(plain(received), plain(sent));
}

/**
 * Registers the shared tests, with names that start with `name`. If an adapter suppresses repeated hand-overs
 * (`capabilities.idempotent`), the provider has one message where it has two with other adapters.
 */
export function mailAdapterSuite(name: string, harness: MailSuiteHarness, test: RegisterMailTest): void {
  type Run = (subject: MailSuiteTarget & { readonly options: typeof sampleSendOptions }) => Promise<void>;
  const check = (title: string, run: Run): void => {
    test(`${name}: ${title}`, async () => {
      const subject = await harness();
      try {
        const { outgoing } = subject;
        const outgoingOption = outgoing === undefined ? {} : { outgoing };
        await run({ ...subject, options: (overrides = {}) => sampleSendOptions({ ...outgoingOption, ...overrides }) });
      } finally {
        await subject.adapter.close();
        await subject.dispose();
      }
    });
  };

  check('has a valid id, and sends nothing before it is called', async ({ adapter, received }) => {
    assert.match(adapter.id, /^[a-z][a-z0-9-]*$/);
    assert.equal((await received()).length, 0);
  });

  check('hands every field over as it is', async (subject) => {
    const { adapter, received, options } = subject;
    const mail = sampleMail();
    const receipt = await adapter.send(mail, options());
    assert.ok((receipt.response ?? '').length <= 500 && (receipt.providerMessageId ?? '').length <= 500);
    const [first, ...otherMails] = await received();
    assert.equal(otherMails.length, 0);
    assertSameMail(first, mail, subject);
    assertSameAttachments(first?.attachments ?? [], mail.attachments);
  });

  check('hands over a message with the required fields alone', async (subject) => {
    const { adapter, received, options } = subject;
    const { replyTo: _, ...rest } = sampleMail({ headers: {}, attachments: [] });
    const mail = { ...rest, from: { email: 'shop@example.com' }, to: { email: 'ada@example.net' } };
    await adapter.send(mail, options());
    const [first] = await received();
    assertSameMail(first, mail, subject);
    assert.equal(first?.attachments.length, 0);
  });

  check('gives every try the same Message-ID', async ({ adapter, received, options }) => {
    const mail = sampleMail();
    await adapter.send(mail, options());
    await adapter.send(mail, options());
    const ids = (await received()).map((message) => message.messageId);
    assert.deepEqual(ids, adapter.capabilities.idempotent ? [mail.messageId] : [mail.messageId, mail.messageId]);
  });

  check('refuses line breaks and NUL in every field', async ({ adapter, received, options }) => {
    for (const payload of ['\r\n', '\n', '\r', '\0', '\r\n\r\n']) {
      for (const [field, mail] of hostileMails(payload)) {
        const outcome = await refusal(adapter.send(mail, options()));
        assert.equal(outcome, 'rejected', `${JSON.stringify(payload)} in the ${field}`);
      }
    }
    assert.equal((await received()).length, 0);
  });

  check('refuses addresses that name more than one mailbox', async ({ adapter, received, options }) => {
    const lists = [
      'a@example.net,b@example.org',
      'a@example.net b@example.org',
      'A <a@example.net>',
      'g:a@example.net;',
    ];
    for (const email of [...lists, 'a@b@example.net', '"a>b"@example.net', '@example.net', 'a@', 'a', '']) {
      assert.equal(await refusal(adapter.send(sampleMail({ to: { email } }), options())), 'rejected', email);
    }
    assert.equal((await received()).length, 0);
  });

  check(
    'refuses an extra header that the message itself writes, or that controls a provider',
    async ({ adapter, received, options }) => {
      const ownHeaders = ['Bcc', 'cc', 'TO', 'From', 'Subject', 'Message-ID', 'Content-Type', 'Resent-To'];
      const providerHeaders = ['X-SMTPAPI', 'x-msys-api', 'X-PM-Tag', 'Delivered-To', 'Authentication-Results'];
      for (const header of [
        ...ownHeaders,
        ...providerHeaders,
        ...(adapter.reservedHeaders ?? []).map((name) => name.replace('*', 'x')),
      ]) {
        const mail = sampleMail({ headers: { [header]: 'evil@example.org' } });
        assert.equal(await refusal(adapter.send(mail, options())), 'rejected', header);
      }
      assert.equal((await received()).length, 0);
    },
  );

  check('sends nothing after its signal was aborted', async ({ adapter, received, options }) => {
    const signal = AbortSignal.abort(new Error('the attempt is over'));
    assert.equal(await refusal(adapter.send(sampleMail(), options({ signal }))), 'transient');
    assert.equal((await received()).length, 0);
  });

  check(
    'finishes the hand-overs in flight before it closes, and then refuses further ones',
    async ({ adapter, received, options }) => {
      let finished = 0;
      const sending = ['<a@example.com>', '<b@example.com>', '<c@example.com>'].map(async (messageId, index) => {
        await adapter.send(sampleMail({ messageId }), options({ idempotencyKey: `snd_${index}` }));
        finished += 1;
      });
      await adapter.close();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(finished, 3, 'close() resolves after the hand-overs');
      await Promise.all(sending);
      assert.equal((await received()).length, 3);
      assert.equal(await refusal(adapter.send(sampleMail(), options())), 'transient');
      await adapter.close();
    },
  );
}
