// An unavailable mail server, as the operator sees it: in the log, in the report of a drain, and among the failed jobs.
// full-run: slow
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { deadPort } from '../support/smtp-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';

const hour = 3_600_000;

await twoDatabases('an unavailable mail server', (test, database) => {
  test('the outage and its end are logged once each, and drains count the failed attempts', async () => {
    const dead = await deadPort();
    let port = dead;
    const open = (): MailAdapter => {
      const adapters = new Map<number, MailAdapter>();
      const current = () => {
        const adapter = adapters.get(port) ?? smtpMail({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
        adapters.set(port, adapter);
        return adapter;
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
      for (let attempts = 0; attempts < 8; attempts += 1) {
        await bench.drain();
        bench.advanceClock(13 * hour);
      }
      assert.is(lines('handing mail to smtp fails'), 2);
      assert.is(lines('a job failed for good'), 1);
      const [job] = await bench.service.jobs.list();
      assert.equal([job?.kind, job?.isFinal], ['email.deliver', true]);
    } finally {
      await bench.close();
    }
  });

  test('a wrong password is logged once as an error, and no message is lost until it is corrected', async () => {
    const strict = await SmtpSink.start({ credentials: { user: 'shop', pass: 'right' } });
    const tls = { rejectUnauthorized: false };
    const withPassword = (pass: string) =>
      smtpMail({ host: strict.host, port: strict.port, tls, auth: { user: 'shop', pass } });
    let current = withPassword('wrong');
    const mail: MailAdapter = { ...current, send: (message, options) => current.send(message, options) };
    const bench = await openMailBench(database, { mail });
    try {
      await bench.publish('receipt');
      await bench.publish('code', { delivery: 'at-most-once' });
      const sends = ['receipt', 'code', 'receipt'].map((template, index) =>
        bench.send(template, { to: `p${index}@example.org`, variables: { name: 'Ada' } }),
      );
      const ids = (await Promise.all(sends)).map(({ body }) => body.id);
      for (let hours = 0; hours < 8; hours += 1) {
        await bench.drain();
        bench.advanceClock(hour);
      }
      const warnings = bench.logged.filter((line) => line.includes('its login is refused. Correct the credentials'));
      assert.is(warnings.length, 1);
      for (const id of ids) {
        const { status, events } = await bench.readSend(id);
        assert.equal([status, events.at(-1).reason.slice(0, 3)], ['delivery_delayed', '535']);
      }
      current = withPassword('right');
      bench.advanceClock(13 * hour);
      await bench.drain();
      for (const id of ids) assert.is((await bench.readSend(id)).status, 'sent');
      assert.is(strict.messages.length, 3);
    } finally {
      await bench.close();
      await strict.stop();
    }
  });
});
