// time-limit: 300
// Attacks on the headers and the envelope of a mail, with a real mail server: no field value can add a header or a recipient that the
// sender did not request. Invalid values are refused at once with an error code.
// full-run: slow
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { oneDatabase, type TestDatabase } from '../support/databases.ts';
import { SmtpSink, type SunkMail } from '../support/smtp-sink.ts';
import { type FuzzTarget, openTarget } from './fuzz-target.ts';
import type { CheckedResponse } from './response-check.ts';
import { injectedInto } from './wire-mail.ts';

const evil = 'eve@evil.example';

/** Texts that an attacker appends to a plain value. */
const injections: Readonly<Record<string, string>> = {
  'a line break': `\r\nBcc: ${evil}`,
  'a line feed': `\nBcc: ${evil}`,
  'a carriage return': `\rBcc: ${evil}`,
  'a second body': '\r\n\r\n<h1>owned</h1>',
  'a NUL and a second line': `\0\r\nX-Injected: 1`,
  'a line separator': `\u2028Bcc: ${evil}`,
  'a next line': `\u0085Bcc: ${evil}`,
  'a vertical tab': `\vBcc: ${evil}`,
  'a form feed': `\fBcc: ${evil}`,
  'a file separator': `\x1cBcc: ${evil}`,
  'characters whose last bytes are CR and LF': `\u560d\u560aBcc: ${evil}`,
  'other characters whose last bytes are CR and LF': `\u010d\u010aBcc: ${evil}`,
  'an encoded line break': `%0d%0aBcc: ${evil}`,
  'an escaped line break': `\\r\\nBcc: ${evil}`,
  'an encoded word': `=?utf-8?Q?=0D=0ABcc:_eve=40evil.example?=`,
  'an encoded word in base64': '=?utf-8?B?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=',
  'a fold': `\r\n Bcc: ${evil}`,
  'a wide gap': `${' '.repeat(120)}Bcc: ${evil}`,
  'a wide gap of tabs': `${'\t'.repeat(120)}Bcc: ${evil}`,
  'a long word': `${'x'.repeat(1_200)}\r\nBcc: ${evil}`,
  'a second address': `, ${evil}`,
  'a second address with a semicolon': `; ${evil}`,
  'angle brackets': `> <${evil}>`,
  quotes: `" <${evil}>, "`,
  'a comment': `(${evil})`,
  'a group': `: ${evil};`,
  'a parameter': `; name=evil.exe; boundary=x`,
  'a continued parameter': `; filename*0="a"; filename*1=".exe"`,
  'an SMTP command': `>\r\nRCPT TO:<${evil}>\r\nDATA`,
  'half a surrogate pair': '\ud83d',
};

type Fields = Record<string, unknown>;

/** A field that takes the hostile value, and the error codes that refuse it. */
interface AttackField {
  readonly fields: (hostile: string) => Fields;
  readonly codes: readonly string[];
  /** Headers that the request itself sets. */
  readonly own?: readonly string[];
}

const attach = (part: Fields): Fields => ({
  attachments: [{ filename: 'a.pdf', content_type: 'application/pdf', data_base64: 'QQ==', ...part }],
});
const invalid = ['validation_failed'];

const attackFields: Readonly<Record<string, AttackField>> = {
  to: { fields: (hostile) => ({ to: `ada@example.org${hostile}` }), codes: invalid },
  'to, before the @': { fields: (hostile) => ({ to: `ada${hostile}@example.org` }), codes: invalid },
  'from.email': {
    fields: (hostile) => ({ from: { email: `x@example.com${hostile}` } }),
    codes: [...invalid, 'from_not_allowed'],
  },
  'from.email, before the @': { fields: (hostile) => ({ from: { email: `x${hostile}@example.com` } }), codes: invalid },
  'from.name': {
    fields: (hostile) => ({ from: { email: 'x@example.com', name: `X${hostile}`.slice(0, 200) } }),
    codes: invalid,
  },
  'replyTo.email': {
    fields: (hostile) => ({ replyTo: { email: `r@example.com${hostile}` } }),
    codes: invalid,
    own: ['reply-to'],
  },
  reply_to: { fields: (hostile) => ({ reply_to: `r${hostile}@example.com` }), codes: invalid, own: ['reply-to'] },
  'the subject': {
    fields: (hostile) => ({ variables: { name: `Ada${hostile}` } }),
    codes: [...invalid, 'variables_invalid'],
  },
  'a header value': {
    fields: (hostile) => ({ headers: { 'X-Own': `a${hostile}` } }),
    codes: [...invalid, 'header_invalid'],
    own: ['x-own'],
  },
  'the value of References': {
    fields: (hostile) => ({ headers: { References: `<a@b>${hostile}` } }),
    codes: [...invalid, 'header_invalid'],
    own: ['references'],
  },
  'a header name': {
    fields: (hostile) => ({ headers: { [`X-Own${hostile}`]: 'a' } }),
    codes: [...invalid, 'header_invalid'],
    own: ['x-own'],
  },
  'a filename': {
    fields: (hostile) => attach({ filename: `a${hostile}`.slice(0, 200) }),
    codes: [...invalid, 'attachment_invalid'],
  },
  'the filename of an inline attachment': {
    fields: (hostile) => attach({ filename: `a${hostile}`.slice(0, 200), inline: true }),
    codes: [...invalid, 'attachment_invalid'],
  },
  'a content type': {
    fields: (hostile) => attach({ content_type: `application/pdf${hostile}`.slice(0, 150) }),
    codes: [...invalid, 'attachment_invalid'],
  },
  'the content of an attachment': {
    fields: (hostile) => attach({ data_base64: `QQ==${hostile}` }),
    codes: [...invalid, 'attachment_invalid'],
  },
  'a tag': { fields: (hostile) => ({ tags: [`a${hostile}`.slice(0, 100)] }), codes: invalid },
  metadata: { fields: (hostile) => ({ metadata: { [`a${hostile}`.slice(0, 100)]: `b${hostile}` } }), codes: invalid },
};

/** The service, its mail server, and a template with a variable in every part */
class Attack {
  readonly target: FuzzTarget;
  readonly sink: SmtpSink;
  #last = 0;

  private constructor(target: FuzzTarget, sink: SmtpSink) {
    this.target = target;
    this.sink = sink;
  }

  static async open(database: TestDatabase): Promise<Attack> {
    const sink = await SmtpSink.start();
    const mail = smtpMail({ host: sink.host, port: sink.port, tls: { rejectUnauthorized: false } });
    const attack = new Attack(await openTarget(database, { mail }), sink);
    const body = '<p>Hello {{ name }}</p>';
    for (const [path, content] of [
      [
        '/v1/templates',
        {
          key: 'plain',
          mode: 'html',
          subject: 'Hello {{ name }}',
          previewText: '{{ name }}',
          body,
          text: 'Hello {{ name }}',
        },
      ],
      ['/v1/templates/plain/publish', {}],
    ] as const) {
      const { status, body: answer } = await attack.target.test.request(path, { body: content });
      assert.ok(status < 300, JSON.stringify(answer));
    }
    return attack;
  }

  /** Requests a send. Each send has a new recipient, unless the fields name one. */
  async send(fields: Fields): Promise<{ readonly answer: CheckedResponse; readonly to: string }> {
    this.#last += 1;
    const body: Fields = { to: `ada-${this.#last}@example.org`, variables: { name: 'Ada' }, ...fields };
    const answer = await this.target.ask({
      method: 'POST',
      url: '/v1/templates/plain/send',
      key: this.target.test.liveKey,
      headers: { 'content-type': 'application/json', 'idempotency-key': `send-${this.#last}` },
      body: JSON.stringify(body),
    });
    return { answer, to: String(body.to) };
  }

  /** Delivers all mail, and returns the mails that arrived during this call. */
  async delivered(): Promise<readonly SunkMail[]> {
    const before = this.sink.messages.length;
    await this.target.test.drain();
    return this.sink.messages.slice(before);
  }

  async close(): Promise<void> {
    await this.target.close();
    await this.sink.stop();
  }
}

/** The names of the headers in a mail without an attack */
async function ownHeaders(attack: Attack): Promise<ReadonlySet<string>> {
  await attack.send({});
  await attack.send(attach({}));
  const mails = await attack.delivered();
  assert.is(mails.length, 2, 'the control was not delivered');
  const names = mails.flatMap(
    ({ raw }) =>
      raw
        .toString('latin1')
        .split('\r\n\r\n', 1)[0]
        ?.match(/^[A-Za-z-]+(?=:)/gm) ?? [],
  );
  return new Set(names.map((name) => name.toLowerCase()));
}

function testField(
  test: Test,
  name: string,
  field: AttackField,
  open: () => Attack,
  ownNames: () => ReadonlySet<string>,
): void {
  test(`${name}: a hostile value adds no header and no recipient`, async () => {
    const attack = open();
    const expectedRecipients = new Set<string>();
    for (const [kind, hostile] of Object.entries(injections)) {
      const { answer, to } = await attack.send(field.fields(hostile));
      assert.equal(answer.faults, [], kind);
      if (answer.status === 202) expectedRecipients.add(to);
      else assert.ok(field.codes.includes(answer.json.error.code), `${kind}: ${answer.text}`);
    }
    const mails = await attack.delivered();
    assert.is(mails.length, expectedRecipients.size, 'not every accepted mail was delivered');
    const allowedHeaders = new Set([...ownNames(), ...(field.own ?? [])]);
    for (const { raw, recipients } of mails) {
      assert.is(recipients.length, 1);
      assert.ok(expectedRecipients.has(recipients[0] ?? ''), `it went to ${recipients}`);
      assert.equal(injectedInto(raw, allowedHeaders), [], raw.toString('latin1').slice(0, 3_000));
    }
  });
}

await oneDatabase('attacks on mail', (test, database) => {
  let attack: Attack;
  let controlHeaders: ReadonlySet<string>;
  test.before(async () => {
    attack = await Attack.open(database);
    controlHeaders = await ownHeaders(attack);
  });
  test.after(() => attack.close());

  for (const [name, field] of Object.entries(attackFields))
    testField(
      test,
      name,
      field,
      () => attack,
      () => controlHeaders,
    );

  test('every header field refuses a line break, and does not repair it', async () => {
    for (const [name, { fields }] of Object.entries(attackFields)) {
      if (name === 'a tag' || name === 'metadata') continue;
      for (const kind of ['a line break', 'a line feed', 'a carriage return', 'a NUL and a second line', 'a fold']) {
        const { answer } = await attack.send(fields(injections[kind] ?? ''));
        assert.is(answer.status, 422, `${name}, ${kind}: ${answer.text}`);
      }
    }
    assert.is((await attack.delivered()).length, 0);
  });

  test('headers that impersonate are removed and listed, in any letter case', async () => {
    const names = [
      'bCC',
      'CC',
      'To',
      'FROM',
      'sender',
      'Reply-To',
      'Subject',
      'DATE',
      'Message-ID',
      'Return-Path',
      'Received',
    ];
    const more = [
      'Resent-To',
      'Resent-Bcc',
      'DKIM-Signature',
      'ARC-Seal',
      'Content-Type',
      'content-transfer-encoding',
      'MIME-Version',
    ];
    const list = [
      'List-Unsubscribe',
      'List-Id',
      'Feedback-ID',
      'X-SES-CONFIGURATION-SET',
      'Disposition-Notification-To',
    ];
    const headers = Object.fromEntries([...names, ...more, ...list].map((name) => [name, evil]));
    const { answer } = await attack.send({ headers: { ...headers, 'X-Kept': 'yes' } });
    assert.is(answer.status, 202, answer.text);
    assert.equal([...answer.json.strippedHeaders].sort(), Object.keys(headers).sort());
    const [mail] = await attack.delivered();
    assert.ok(mail !== undefined && !mail.raw.includes('evil.example'));
    assert.equal(injectedInto(mail.raw, new Set([...controlHeaders, 'x-kept'])), []);
  });

  test('a name parameter in the content type cannot replace the filename', async () => {
    for (const parameter of ['name', 'filename', 'boundary', 'NAME']) {
      const { answer } = await attack.send(attach({ content_type: `application/pdf; ${parameter}=evil.exe` }));
      assert.is(answer.status, 422, `${parameter}: ${answer.text}`);
      assert.is(answer.json.error.code, 'attachment_invalid');
    }
  });
});
