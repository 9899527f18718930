// service.ingestMail: a returned mail is matched to its send by the signed return path, else by a Message-ID, and has its effect once.
// Any other mail is ignored with a reason, whatever it contains, and nothing of it is stored.
// full-run: slow
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { emailPlugin, type IngestedMail } from '../../plugins/email/index.ts';
import { report } from '../support/bounce-mails.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

const variables = { name: 'Ada' };
const unknownUser = '550 5.1.1 No such user here';
const maxBytes = 36 * 1_048_576;

const plain = (fields: string, text = '') => `${fields}\n\n${text}\n`;

/** The reason for which a mail is ignored. */
const reasonOf = (mail: IngestedMail): string => (mail.outcome === 'ignored' ? mail.reason : mail.outcome);

await twoDatabases('mails that the program passes on', (test, database) => {
  let bench: MailBench;
  const open = (reports = [mailboxReports()]): Promise<MailBench> => {
    const email = emailPlugin({ reports, bounces: { domain: 'bounces.example.com' } });
    return openMailBench(database, {
      plugins: bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin)),
    });
  };
  const events: string[] = [];
  test.before(async () => {
    bench = await open();
    bench.service.on('send.bounced', async ({ data }) => void events.push(data.to));
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  let recipients = 0;
  const deliver = async (key = bench.liveKey) => {
    recipients += 1;
    const to = `person-${recipients}@example.org`;
    const { body } = await bench.send('receipt', { to, variables }, { key });
    await bench.drain();
    const path = bench.sink.messages.find((one) => one.recipients.includes(to))?.from ?? '';
    return { id: body.id as string, messageId: body.messageId as string, to, path };
  };
  const statusOf = async (id: string): Promise<string> => (await bench.readSend(id)).status;
  const suppressionOf = async (email: string) =>
    (await bench.request('/v1/suppressions?limit=100')).body.data.find((row: { email: string }) => row.email === email);
  /** The number of rows of each table. */
  const rows = async (): Promise<Record<string, number>> => {
    const { core } = bench.service;
    const db = await core.database();
    const counts: Record<string, number> = {};
    for (const table of core.registry.tables.keys()) {
      const { rows: found } = await db.driver.read((connection) =>
        connection.query({ sql: `select count(*) as number from ${db.prefix}${table}`, parameters: [] }),
      );
      counts[table] = Number(found[0]?.['number']);
    }
    return counts;
  };
  const refusalOf = async (raw: unknown, service = bench.service): Promise<string> => {
    try {
      await service.ingestMail(raw as string);
    } catch (error) {
      if (isPostriderError(error)) return `${error.code} ${error.message}`;
      throw error;
    }
    return 'accepted';
  };

  test('a bounce is matched to its send by the return path, and the answer shows the recorded report', async () => {
    const [sent, other] = [await deliver(), await deliver()];
    const mail = `Delivered-To: ${sent.path}\n${report('5.1.1', unknownUser)({ ...sent, messageId: other.messageId })}`;
    const { workspaceId } = bench;
    const bounce = {
      class: 'hard',
      subType: 'no_mailbox',
      smtpCode: 550,
      enhancedCode: '5.1.1',
      diagnostic: unknownUser,
    } as const;
    const expected = {
      workspaceId,
      sendId: sent.id,
      matchedBy: 'return_path',
      report: { kind: 'bounced', bounce },
      status: 'bounced',
    };
    assert.equal(await bench.service.ingestMail(mail), { outcome: 'recorded', ...expected });
    assert.equal([await statusOf(sent.id), await statusOf(other.id)], ['bounced', 'sent']);
    const { reason, send_id: by, note } = await suppressionOf(sent.to);
    assert.equal([reason, by, note], ['hard_bounce', sent.id, unknownUser]);

    // The same mail, passed on a second time by another part of the program or after an error.
    const before = await rows();
    assert.equal(await bench.service.ingestMail(Buffer.from(mail)), { outcome: 'repeated', ...expected });
    assert.equal(await rows(), before);
  });

  test('without a return path, a bounce is matched to its send by the Message-ID, and its bytes may have any type', async () => {
    const forms: readonly ((mail: Buffer) => string | Uint8Array)[] = [
      (mail) => mail,
      (mail) => mail.toString(),
      (mail) => mail.toString().replaceAll('\n', '\r\n'),
      (mail) => new Uint8Array(Buffer.concat([Buffer.from('before'), mail])).subarray(6),
    ];
    for (const form of forms) {
      const sent = await deliver();
      const result = await bench.service.ingestMail(form(report('5.1.1', unknownUser)(sent)));
      assert.ok(result.outcome === 'recorded');
      assert.equal([result.sendId, result.matchedBy], [sent.id, 'message_id']);
    }
  });

  test('a mail that is passed on many times at the same moment is recorded once', async () => {
    const sent = await deliver();
    const mail = report('5.1.1', unknownUser)(sent);
    const results = await Promise.all(Array.from({ length: 6 }, () => bench.service.ingestMail(mail)));
    assert.equal(results.map(({ outcome }) => outcome).sort(), ['recorded', ...Array(5).fill('repeated')]);
    const types = (await bench.readSend(sent.id)).events.map(({ type }: { type: string }) => type);
    assert.equal(types.filter((type: string) => type === 'send.bounced').length, 1);
  });

  test('without a running worker, settle() delivers a report to the subscribers of its event', async () => {
    const sent = await deliver();
    await bench.service.ingestMail(report('5.1.1', unknownUser)(sent));
    assert.not(events.includes(sent.to));
    await bench.service.settle();
    assert.ok(events.includes(sent.to));
  });

  test('delays, complaints and unsubscribe requests are recorded, too', async () => {
    const feedback = (type: string, messageId: string) =>
      `From: fbl@mailbox.example\nSubject: complaint\nMIME-Version: 1.0\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: ${type}\n\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <${messageId}@example.com>\n\n--b--\n`;
    const [delayed, complained, left] = [await deliver(), await deliver(), await deliver()];
    const mails = [
      report('4.2.2', '452 4.2.2 Mailbox full', 'delayed')(delayed),
      feedback('abuse', complained.messageId),
      feedback('opt-out', left.messageId),
    ];
    const results: string[] = [];
    for (const mail of mails) {
      const result = await bench.service.ingestMail(mail);
      results.push(result.outcome === 'ignored' ? result.reason : `${result.report.kind} ${result.status}`);
      assert.is((await bench.service.ingestMail(mail)).outcome, 'repeated');
    }
    assert.equal(results, ['delivery_delayed delivery_delayed', 'complained complained', 'unsubscribed sent']);
    assert.is((await suppressionOf(complained.to)).reason, 'complaint');
    assert.is((await suppressionOf(left.to)).reason, 'unsubscribe');
  });

  test('a report reaches only the workspace and the side of its send', async () => {
    const { service } = bench;
    const name = { email: 'hi@other.example', name: 'Other' };
    const { id: workspaceId } = await service.workspaces.create({ name: 'Other', defaultFrom: name });
    const calls = service.as(workspaceId);
    await calls.templates.create({ key: 'note', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' });
    await calls.templates.publish({ key: 'note' });
    const to = 'both@example.org';
    const foreignSend = await calls.email.send({ template: 'note', to });
    const ownSend = await bench.send('receipt', { to, variables });
    await bench.drain();
    const result = await service.ingestMail(report('5.1.1', unknownUser)({ to, messageId: foreignSend.messageId }));
    assert.ok(result.outcome === 'recorded');
    assert.equal([result.workspaceId, result.sendId], [workspaceId, foreignSend.id]);
    assert.is(await statusOf(ownSend.body.id), 'sent');
    assert.is(await suppressionOf(to), undefined);
    assert.equal(
      (await calls.suppressions.list({})).data.map(({ email }) => email),
      [to],
    );

    const sandbox = await deliver(bench.testKey);
    const sandboxResult = await service.ingestMail(report('5.1.1', unknownUser)(sandbox));
    assert.ok(sandboxResult.outcome !== 'ignored');
    assert.is((await bench.readSend(sandbox.id)).events.at(-1).synthetic, true);
    assert.is(await suppressionOf(sandbox.to), undefined);
  });

  test('a mail is ignored with the reason, and nothing of it is stored, if it is no report or names no message of this service', async () => {
    const { to, messageId } = await deliver();
    const replyHeader = `In-Reply-To: <${messageId}@example.com>`;
    const mails: readonly (readonly [string, string | Buffer])[] = [
      ['unreadable', ''],
      ['unreadable', Buffer.alloc(0)],
      ['no_report', plain(`From: ${to}\nSubject: Re: Hello\n${replyHeader}`, 'Thank you! 550 5.1.1 User unknown')],
      ['no_report', plain('From: shop@example.net\nSubject: News', 'Buy now.')],
      ['no_report', Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))],
      ['no_report', Buffer.alloc(2_000_000, 0)],
      ['no_report', 'not a mail'],
      ['auto_reply', plain(`From: ${to}\nSubject: Out of office: Hello\n${replyHeader}`, 'I am away.')],
      [
        'auto_reply',
        plain(`From: ${to}\nAuto-Submitted: auto-replied\nSubject: Re: Hello\n${replyHeader}`, 'I am away.'),
      ],
      [
        'read_receipt',
        `From: ${to}\nMIME-Version: 1.0\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/disposition-notification\n\nDisposition: manual-action/MDN-sent-manually; displayed\nOriginal-Message-ID: <${messageId}@example.com>\n\n--b--\n`,
      ],
      ['no_outcome', report('2.0.0', '250 OK', 'expanded')({ to, messageId })],
      ['unmatched', report('5.1.1', unknownUser)({ to, messageId: 'msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6' })],
      ['unmatched', report('5.1.1', unknownUser)({ to, messageId: 'someone-else' })],
      ['unmatched', report('5.1.1', unknownUser)({ to, messageId: `${messageId.slice(0, -1)}` })],
    ];
    const before = await rows();
    for (const [reason, mail] of mails) {
      const result = await bench.service.ingestMail(mail);
      assert.ok(result.outcome === 'ignored', reason);
      assert.is(result.reason, reason, String(mail).slice(0, 100));
      assert.match(result.message, /^[A-Z].{20,}\.$/);
      assert.is(result.report?.kind, reason === 'unmatched' ? 'bounced' : undefined);
    }
    assert.equal(await rows(), before);
  });

  test('a hostile mail gets a result, never an error', async () => {
    const { to, messageId } = await deliver();
    const fullReport = report('5.1.1', unknownUser)({ to, messageId }).toString();
    const nestedParts = Array.from(
      { length: 400 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
    );
    const mails: readonly (string | Buffer)[] = [
      `From: MAILER-DAEMON@x.example\n${nestedParts.join('')}`,
      `From: MAILER-DAEMON@x.example\nSubject: failure notice\n\n${'x'.repeat(10_000_000)}`,
      Buffer.concat([Buffer.from('From: MAILER-DAEMON@x.example\n\n'), Buffer.alloc(10_000_000, 0xff)]),
      `${'X: y\n'.repeat(400_000)}\n`,
      `From: ${'<'.repeat(200_000)}\n\n`,
      `From: MAILER-DAEMON@x.example\nContent-Type: text/plain; charset="no such set"\n\n550 5.1.1 \ufffd\n`,
      '\n\n\n',
      '\ud800',
    ];
    for (const mail of mails)
      assert.is((await bench.service.ingestMail(mail)).outcome, 'ignored', mail.slice(0, 60).toString());
    for (let cut = 0; cut < fullReport.length - 300; cut += 97)
      await bench.service.ingestMail(fullReport.slice(0, cut));
  });

  test('a report that returns the mail with its large attachments is read', async () => {
    const sent = await deliver();
    const mail = report(
      '5.1.1',
      unknownUser,
    )(sent)
      .toString()
      .replace('\n--b--\n', `\n${'QUJD'.repeat(19)}`.repeat(180_000));
    assert.ok(mail.length > 13_000_000);
    assert.is(reasonOf(await bench.service.ingestMail(mail)), 'recorded');
  });

  test('a value that is neither text nor bytes is refused, and so is a mail over 36 MiB, with the limit', async () => {
    for (const raw of [undefined, null, 7, {}, [1, 2], new ArrayBuffer(4), new Uint16Array(4)])
      assert.is(await refusalOf(raw), 'validation_failed ingestMail: pass the whole mail as bytes or as a text.');
    const limit = `payload_too_large The body is larger than ${maxBytes} bytes. Send a smaller one.`;
    assert.is(await refusalOf(Buffer.alloc(maxBytes + 1)), limit);
    assert.is(await refusalOf('é'.repeat(maxBytes / 2 + 1)), limit);
    assert.is(reasonOf(await bench.service.ingestMail(Buffer.alloc(maxBytes, 'x'))), 'no_report');
  });

  test('without a secret, no request can pass mail on; with a secret, both ways record the same report', async () => {
    const secret = 'a secret of the bounce mailbox';
    const post = async (to: MailBench, mail: Buffer, headerSecret: string): Promise<number> => {
      const headers = { authorization: `Bearer ${headerSecret}` };
      const request = { method: 'POST', headers, body: mail, userAgent: '' } as const;
      return (await visit(to, '/inbound/mail/mailbox', request)).status;
    };
    const sent = await deliver();
    for (const sentSecret of ['', 'undefined', secret])
      assert.is(await post(bench, report('5.1.1', unknownUser)(sent), sentSecret), 401, sentSecret);
    assert.is(await statusOf(sent.id), 'sent');

    const otherBench = await open([mailboxReports({ secret })]);
    try {
      await otherBench.publish('receipt');
      const to = 'ada@example.org';
      const { body } = await otherBench.send('receipt', { to, variables });
      await otherBench.drain();
      const mail = report('5.1.1', unknownUser)({ to, messageId: body.messageId });
      assert.is(await post(otherBench, mail, secret), 200);
      assert.is((await otherBench.readSend(body.id)).status, 'bounced');
      assert.is(reasonOf(await otherBench.service.ingestMail(mail)), 'repeated');
    } finally {
      await otherBench.close();
    }
  });

  test('if no adapter reads mail, the error names the option', async () => {
    const withoutReports = await open([]);
    try {
      assert.match(
        await refusalOf('Subject: a\n\nb', withoutReports.service),
        'emailPlugin({ reports: [mailboxReports()] })',
      );
    } finally {
      await withoutReports.close();
    }
  });
});
