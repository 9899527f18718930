// A mail server that is away, as whoever operates the service sees it: in the log, in what a drain reports, and among the failed jobs.
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { deadPort } from '../support/smtp-server.ts';

const hour = 3_600_000;

await twoDatabases('a mail server that is away', (test, database) => {
  test('one line of the log says so, one that it works again, and drains count the failed tries', async () => {
    const dead = await deadPort();
    let port = dead;
    const open = (): MailAdapter => {
      const adapters = new Map<number, MailAdapter>();
      const current = () => {
        const known = adapters.get(port) ?? smtpMail({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
        adapters.set(port, known);
        return known;
      };
      return { ...smtpMail({ host: '127.0.0.1', port }), send: (mail, options) => current().send(mail, options) };
    };
    const bench = await openMailBench(database, { mail: open() });
    const lines = (text: string) => bench.logged.filter((line) => line.startsWith(text)).length;
    try {
      await bench.publish('receipt');
      for (const to of ['ada@example.org', 'bob@example.org'])
        await bench.send('receipt', { to, variables: { name: 'Ada' } });
      assert.is((await bench.service.drain()).failed, 2);
      assert.is(lines('handing mail to smtp fails'), 1);
      port = bench.sink.port;
      bench.advanceClock(hour);
      assert.is((await bench.service.drain()).failed, 0);
      assert.is(lines('handing mail to smtp works again'), 1);
      assert.is(bench.sink.messages.length, 2);

      port = dead;
      await bench.send('receipt', { to: 'eve@example.org', variables: { name: 'Eve' } });
      for (let tries = 0; tries < 8; tries += 1) {
        await bench.drain();
        bench.advanceClock(13 * hour);
      }
      assert.is(lines('handing mail to smtp fails'), 2);
      assert.is(lines('a job failed for good'), 1);
      const [given] = await bench.service.jobs.list();
      assert.equal([given?.kind, given?.isFinal], ['email.deliver', true]);
    } finally {
      await bench.close();
    }
  });
});
