// Real mail servers: mail that they accept reaches the next server unchanged. If the next server refuses it, the report of the first
// server arrives at the mailbox reports, names its message, and has the effect of its code.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { oneDatabase } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { startExim } from '../support/mail-servers/exim.ts';
import { startHaraka } from '../support/mail-servers/haraka.ts';
import { startOpenSmtpd } from '../support/mail-servers/opensmtpd.ts';
import { startPostfix } from '../support/mail-servers/postfix.ts';
import { startSendmail } from '../support/mail-servers/sendmail.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { parseRaw } from '../support/received-mail.ts';
import { type SinkResponse, SmtpSink } from '../support/smtp-sink.ts';
import { visit } from '../support/tracked-mail.ts';

const servers = {
  Postfix: startPostfix,
  Exim: startExim,
  OpenSMTPD: startOpenSmtpd,
  Sendmail: startSendmail,
  Haraka: startHaraka,
} as const;

/** The responses of the next server, and the meaning of each response. */
const refusals: Readonly<
  Record<string, { readonly answer: SinkResponse; readonly class: string; readonly subType: string }>
> = {
  unknown: { answer: { code: 550, text: '5.1.1 No such user here' }, class: 'hard', subType: 'no_mailbox' },
  full: { answer: { code: 552, text: '5.2.2 Mailbox full' }, class: 'undetermined', subType: 'mailbox_full' },
  blocked: {
    answer: { code: 554, text: '5.1.1 Client host blocked using rbl.example' },
    class: 'undetermined',
    subType: 'policy',
  },
  large: {
    answer: { code: 552, text: '5.3.4 Message size exceeds the limit', at: 'content' },
    class: 'undetermined',
    subType: 'message_too_large',
  },
};
const delay: SinkResponse = { code: 451, text: '4.7.1 Greylisted, please try again in 5 minutes' };

const secret = 'a secret of the bounce mailbox';

await oneDatabase('mail through OpenSMTPD', (test, database) => {
  test('bodies arrive as they were written, and a bounce returns and suppresses the address', async () => {
    const next = await SmtpSink.start();
    const mta = await startOpenSmtpd(next.port);
    if (mta === undefined) return next.stop();
    const reports = [mailboxReports({ secret })];
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? emailPlugin({ reports }) : plugin));
    const mail = smtpMail({ host: mta.host, port: mta.port });
    const bench = await openMailBench(database, { plugins, mail });
    try {
      const name = 'Zoë — “.”\n.\n..dots';
      await bench.publish('receipt', { subject: 'Grüße', body: '<p>Hello {{name}}</p><pre>.\n..\nFrom here</pre>' });
      const recipient = 'zoe@example.org';
      await bench.send('receipt', { to: recipient, variables: { name } });
      await bench.drain();
      // The service of another file may still send mail to this port. The recipient shows which mail belongs to this test.
      const belongsHere = ({ recipients }: { readonly recipients: readonly string[] }) =>
        recipients.includes(recipient);
      await next.until(({ messages }) => messages.some(belongsHere));
      const mail = await parseRaw(next.messages.find(belongsHere)?.raw ?? Buffer.alloc(0));
      assert.is(mail.subject, 'Grüße');
      assert.ok(mail.html?.replaceAll('\r\n', '\n').includes(`Hello ${name}`), mail.html ?? 'no HTML');
      assert.ok(mail.html?.replaceAll('\r\n', '\n').includes('<pre>.\n..\nFrom here</pre>'));

      const unknownUser = 'gone@example.org';
      next.answer(unknownUser, { code: 550, text: '5.1.1 No such user' });
      const { body } = await bench.send('receipt', { to: unknownUser, variables: { name: 'Ada' } });
      await bench.drain();
      await next.until(({ messages }) => messages.some(({ from }) => from === ''));
      const notification = next.messages.find(({ from }) => from === '');
      const headers = { authorization: `Bearer ${secret}` };
      const { status } = await visit(bench, '/inbound/mail/mailbox', {
        method: 'POST',
        headers,
        body: notification?.raw ?? Buffer.alloc(0),
        userAgent: '',
      });
      assert.is(status, 200);
      const send = await bench.readSend(body.id);
      const bounced = send.events.find(({ type }: { type: string }) => type === 'send.bounced');
      assert.equal([send.status, bounced?.bounce.class, bounced?.bounce.enhancedCode], ['bounced', 'hard', '5.1.1']);
      const { body: list } = await bench.request('/v1/suppressions?limit=100');
      assert.is(list.data.find(({ email }: { email: string }) => email === unknownUser)?.reason, 'hard_bounce');
    } finally {
      await bench.close();
      await mta.stop();
      await next.stop();
    }
  });

  for (const [name, start] of Object.entries(servers)) {
    test(`${name} reports an unknown user, a full mailbox, a block, a large mail and a delay, and each report is understood`, async () => {
      const next = await SmtpSink.start();
      const mta = await start(next.port);
      if (mta === undefined) return next.stop();
      const reports = [mailboxReports({ secret })];
      const email = emailPlugin({ reports, bounces: { domain: 'bounces.example.com' } });
      const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
      const bench = await openMailBench(database, { plugins, mail: smtpMail({ host: mta.host, port: mta.port }) });
      const headers = { authorization: `Bearer ${secret}` };
      try {
        await bench.publish('receipt');
        const sent = new Map<string, { readonly id: string; readonly messageId: string }>();
        for (const kind of [...Object.keys(refusals), 'delayed']) {
          const to = `${kind}@example.org`;
          next.answer(to, refusals[kind]?.answer ?? delay);
          sent.set(kind, (await bench.send('receipt', { to, variables: { name: 'Ada' } })).body);
        }
        await bench.drain();
        const notices = () => next.messages.filter(({ from }) => from === '');
        // A server may warn of a delay more than once.
        const reportedMails = () => new Set(notices().flatMap(({ recipients }) => recipients));
        for (let checks = 0; reportedMails().size < sent.size && checks < 450; checks += 1) await pause(100);
        assert.is(reportedMails().size, sent.size, `${name} reports on each mail`);
        for (const { raw, recipients } of notices()) {
          const [report] = await mailboxReports({ secret }).read({
            headers,
            body: raw,
            now: 0,
            outgoing: localOutgoing(),
          });
          assert.equal(report?.returnPaths?.slice(0, 1), recipients.slice(0, 1), raw.toString());
          assert.ok(
            [...sent.values()].some(({ messageId }) => report?.messageIds.some((id) => id.includes(messageId))),
            raw.toString(),
          );
          const visited = { method: 'POST', headers, body: raw, userAgent: '' } as const;
          assert.is((await visit(bench, '/inbound/mail/mailbox', visited)).status, 200);
        }
        for (const [kind, { class: expected, subType }] of Object.entries(refusals)) {
          const send = await bench.readSend(sent.get(kind)?.id ?? '');
          const { bounce } = send.events.find(({ type }: { type: string }) => type === 'send.bounced') ?? {};
          assert.equal(
            [send.status, bounce?.class, bounce?.subType],
            ['bounced', expected, subType],
            `${name}, ${kind}`,
          );
        }
        const delayedSend = await bench.readSend(sent.get('delayed')?.id ?? '');
        const last = delayedSend.events.at(-1);
        // Haraka sends no warnings: with this setting it gives up soon.
        if (name === 'Haraka') assert.equal([last.type, last.bounce.class], ['send.bounced', 'soft']);
        else assert.is(last.type, 'send.delivery_delayed');
        const { body: list } = await bench.request('/v1/suppressions?limit=100');
        assert.equal(
          list.data.map(({ email: address, reason }: { email: string; reason: string }) => [address, reason]),
          [['unknown@example.org', 'hard_bounce']],
        );
      } finally {
        await bench.close();
        await mta.stop();
        await next.stop();
      }
    });
  }
});
