// time-limit: 300
// Fuzzed values in every field that reaches a mail, delivered to a real mail server: each message has one recipient and only the
// requested headers.
// full-run: fuzz
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { MailAdapter, OutgoingMail } from '../../plugins/email/port/index.ts';
import { oneDatabase, type TestDatabase } from '../support/databases.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { describeCall, fuzzValues } from './fuzz-run.ts';
import { hostileText } from './fuzz-values.ts';
import { injectedInto } from './wire-mail.ts';

const runsOf = { sqlite: 800, postgres: 300, mariadb: 200 } as const;

/** Text that differs from harmless text by one or two characters, so that many values are accepted */
const word = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      'Ada',
      'Größe',
      '名前',
      'a b',
      'O’Neil',
      '"quoted"',
      '<angle>',
      'a, b',
      'a;b',
      '(c)',
      '=?utf-8?q?a?=',
    ),
    weight: 5,
  },
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), weight: 4 },
  { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), weight: 2 },
  { arbitrary: hostileText, weight: 1 },
);
const around = (before: string, after: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(`${before}x${after}`), weight: 6 },
    { arbitrary: word.map((text) => `${before}${text}${after}`), weight: 1 },
  );

const headerNames = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      'X-Own',
      'References',
      'In-Reply-To',
      'X-Other',
      'Precedence',
      'Auto-Submitted',
      'Bcc',
      'x-own2',
    ),
    weight: 6,
  },
  { arbitrary: word, weight: 1 },
);

const sends = fc.record(
  {
    variables: word.map((name) => ({ name })),
    from: fc.record(
      { email: around('', '@example.com'), name: word.map((name) => name.slice(0, 200)) },
      { requiredKeys: ['email'] },
    ),
    replyTo: fc.record({ email: around('', '@reply.example') }),
    headers: fc.dictionary(headerNames, word, { maxKeys: 3 }),
    tags: fc.array(word, { maxLength: 2 }),
    metadata: fc.dictionary(word, word, { maxKeys: 2 }),
    attachments: fc.array(
      fc.record({
        filename: fc.oneof(fc.constantFrom('a.pdf', 'ä b.txt', '"x".txt'), word),
        content_type: fc.oneof(
          { arbitrary: fc.constantFrom('application/pdf', 'text/plain; charset=utf-8', 'text/html'), weight: 5 },
          { arbitrary: around('text/', ''), weight: 1 },
        ),
        data_base64: fc.constantFrom('QQ==', '', 'DQouDQo='),
        inline: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['variables'] },
);

type Fields = typeof sends extends fc.Arbitrary<infer T> ? T : never;

const usual = [
  ...['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-type', 'content-transfer-encoding'],
  'reply-to',
];

/** Sends fuzzed fields and checks the mails at the mail server. */
class Posting {
  readonly #bench: AttackBench;
  readonly #sink: SmtpSink;
  readonly #asked = new Map<string, Fields>();
  #template = '';

  private constructor(bench: AttackBench, sink: SmtpSink) {
    this.#bench = bench;
    this.#sink = sink;
  }

  /** `tamper` changes mails between the service and the mail server. */
  static async open(
    database: TestDatabase,
    spoil: (mail: OutgoingMail) => OutgoingMail = (mail) => mail,
  ): Promise<Posting> {
    const sink = await SmtpSink.start();
    const adapter = smtpMail({ host: sink.host, port: sink.port, tls: { rejectUnauthorized: false } });
    const mail: MailAdapter = { ...adapter, send: (message, options) => adapter.send(spoil(message), options) };
    const posting = new Posting(await openBench(database, { mail }), sink);
    const part = 'Hello {{ name }}';
    posting.#template = await posting.#bench.publish({
      body: `<p>${part}</p>`,
      subject: part,
      previewText: part,
      text: part,
    });
    return posting;
  }

  get accepted(): number {
    return this.#asked.size;
  }

  /** Sends fuzzed fields. Returns the faults of the response, or undefined. */
  async send(fields: Fields): Promise<string | undefined> {
    const { to, answer } = await this.#bench.send(this.#template, fields.variables, fields);
    if (answer.faults.length > 0)
      return describeCall({ method: 'POST', url: 'send', body: JSON.stringify(fields) }, answer);
    if (answer.status === 202) this.#asked.set(to, fields);
    return undefined;
  }

  /** Delivers all mail. Returns every message that differs from its request, and every accepted send that failed. */
  async findDeviations(): Promise<string[]> {
    await this.#bench.test.drain();
    const strange = this.#sink.messages.flatMap(({ raw, recipients }) => {
      const fields = this.#asked.get(recipients[0] ?? '');
      if (fields === undefined || recipients.length !== 1) return [`it went to ${recipients}`];
      const requestedHeaders = Object.keys(fields.headers ?? {}).map((name) => name.toLowerCase());
      const findings = injectedInto(raw, new Set([...usual, ...requestedHeaders]));
      return findings.map((fault) => `${fault}: ${JSON.stringify(fields)}\n${raw.toString('latin1').slice(0, 2_000)}`);
    });
    const { data } = (await this.#bench.get('/v1/sends?status=failed&limit=100')).json;
    const failures = data.map(({ whyNotSent }: { whyNotSent: string }) => `accepted, then failed: ${whyNotSent}`);
    return [...strange, ...failures];
  }

  async close(): Promise<void> {
    await this.#bench.close();
    await this.#sink.stop();
  }
}

await oneDatabase('fuzzed mail', (test, database) => {
  test('no value adds a header or a recipient, and values that cannot be delivered are refused at once', async () => {
    const posting = await Posting.open(database);
    const finding = await fuzzValues(sends, runsOf[database.name], (fields) => posting.send(fields));
    assert.is(finding, undefined, finding);
    assert.equal(await posting.findDeviations(), []);
    console.log(`# ${posting.accepted} fuzzed mails delivered on ${database.name}`);
    assert.ok(posting.accepted > runsOf[database.name] / 20, 'too few sends were accepted');
    await posting.close();
  });

  test('the check finds an adapter that turns a value into a header or another recipient', async () => {
    const addHeader = (mail: OutgoingMail): OutgoingMail =>
      /[^ -~]/.test(mail.subject) ? { ...mail, headers: { ...mail.headers, 'X-Injected': 'yes' } } : mail;
    const changeRecipient = (mail: OutgoingMail): OutgoingMail =>
      mail.subject.includes('"') ? { ...mail, to: { email: 'eve@evil.example' } } : mail;
    for (const [tamper, word] of [
      [addHeader, 'a header x-injected'],
      [changeRecipient, 'it went to eve@evil.example'],
    ] as const) {
      const posting = await Posting.open(database, tamper);
      await fuzzValues(sends, 150, (fields) => posting.send(fields));
      const strange = await posting.findDeviations();
      assert.ok(
        strange.some((line) => line.startsWith(word)),
        `${strange}`,
      );
      await posting.close();
    }
  });
});
