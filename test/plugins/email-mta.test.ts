// time-limit: 120
// Through a real mail server: mail that it accepts reaches the next server unchanged. If the next server refuses a recipient, the
// notification comes back by the mailbox report.
// full-run: slow
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { oneDatabase } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { startMta } from '../support/mta.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { parseRaw } from '../support/received-mail.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { visit } from '../support/tracked-mail.ts';

const secret = 'a secret of the bounce mailbox';

await oneDatabase('mail through OpenSMTPD', (test, database) => {
  test('bodies arrive as written, and a bounce comes back and suppresses', async () => {
    const next = await SmtpSink.start();
    const mta = await startMta(next.port);
    if (mta === undefined) return next.stop();
    const reports = [mailboxReports({ secret })];
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? emailPlugin({ reports }) : plugin));
    const mail = smtpMail({ host: mta.host, port: mta.port });
    const bench = await openMailBench(database, { plugins, mail });
    try {
      const name = 'Zoë — “.”\n.\n..dots';
      await bench.publish('receipt', { subject: 'Grüße', body: '<p>Hello {{name}}</p><pre>.\n..\nFrom here</pre>' });
      await bench.send('receipt', { to: 'ada@example.org', variables: { name } });
      await bench.drain();
      await next.until(({ messages }) => messages.length === 1);
      const arrived = await parseRaw(next.messages[0]?.raw ?? Buffer.alloc(0));
      assert.is(arrived.subject, 'Grüße');
      assert.ok(arrived.html?.replaceAll('\r\n', '\n').includes(`Hello ${name}`), arrived.html ?? 'no HTML');
      assert.ok(arrived.html?.replaceAll('\r\n', '\n').includes('<pre>.\n..\nFrom here</pre>'));

      const gone = 'gone@example.org';
      next.answer(gone, { code: 550, text: '5.1.1 No such user' });
      const { body } = await bench.send('receipt', { to: gone, variables: { name: 'Ada' } });
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
      assert.is(list.data.find(({ email }: { email: string }) => email === gone)?.reason, 'hard_bounce');
    } finally {
      await bench.close();
      await mta.stop();
      await next.stop();
    }
  });
});
