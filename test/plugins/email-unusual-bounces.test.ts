// Bounces of real servers that are easily misread, passed to service.ingestMail: the recorded class and subtype, and the suppressed
// addresses. Answers of robots change nothing.
// full-run: slow
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { robotReplies } from '../support/robot-replies.ts';
import { unusualBounces } from '../support/unusual-bounces.ts';

const mails = [...unusualBounces, ...robotReplies];

await twoDatabases('unusual bounces', (test, database) => {
  let bench: MailBench;
  const sent = new Map<string, { readonly id: string; readonly to: string; readonly messageId: string }>();
  test.before(async () => {
    const email = emailPlugin({ reports: [mailboxReports()] });
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? email : plugin));
    bench = await openMailBench(database, { plugins });
    await bench.publish('receipt');
    for (const [index, { name }] of mails.entries()) {
      const to = `person-${index}@example.org`;
      const { body } = await bench.send('receipt', { to, variables: { name: 'Ada' } });
      sent.set(name, { id: body.id, to, messageId: body.messageId });
    }
    await bench.drain();
  });
  test.after(() => bench.close());

  for (const { name, expected, mail } of mails)
    test(`${name}: ${expected}`, async () => {
      const message = sent.get(name);
      assert.ok(message);
      const result = await bench.service.ingestMail(mail(message));
      const send = await bench.readSend(message.id);
      if (result.outcome === 'ignored') {
        assert.is(`ignored ${result.reason}`, expected);
        assert.equal([send.status, send.events.length], ['sent', 2]);
        return;
      }
      const { report } = result;
      const { bounce } = report.kind === 'bounced' ? report : { bounce: undefined };
      assert.is(bounce === undefined ? report.kind : `${bounce.class} ${bounce.subType}`, expected, bounce?.diagnostic);
      assert.equal([result.outcome, result.sendId, result.status], ['recorded', message.id, send.status]);
      assert.equal(send.events.at(-1).bounce, bounce);
    });

  test('only hard bounces have suppressed their addresses', async () => {
    const { body } = await bench.request('/v1/suppressions?limit=100');
    const hard = unusualBounces
      .filter(({ expected }) => expected.startsWith('hard '))
      .map(({ name }) => sent.get(name)?.to);
    assert.equal(body.data.map(({ email }: { email: string }) => email).sort(), hard.sort());
  });
});
