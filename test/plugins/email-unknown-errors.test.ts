// If a mail adapter throws an error that is not a MailError, its text may quote anything, even a secret. The text is logged and never
// shown to a tenant.
// full-run: slow
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { MailAdapter } from '../../plugins/email/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const secret = 'hunter2-of-the-provider';
const hour = 3_600_000;

const careless: MailAdapter = {
  ...smtpMail({ host: '127.0.0.1' }),
  id: 'careless',
  async send() {
    throw new Error(`login as mailer:${secret} refused`);
  },
};

await twoDatabases('unknown errors of an adapter', (test, database) => {
  for (const delivery of ['at-least-once', 'at-most-once'] as const)
    test(`${delivery}: if an adapter throws an error that is not a MailError, its text is only in the log`, async () => {
      const receiver = await WebhookReceiver.start();
      const bench = await openMailBench(database, {
        mail: careless,
        outgoing: { allow: ['127.0.0.1'] },
      });
      try {
        await bench.publish('receipt', { delivery });
        const calls = bench.service.as(bench.workspaceId);
        const { id: webhook } = await calls.webhooks.create({ url: receiver.url, events: ['send.*'] });
        const answer = await bench.send('receipt', { to: 'ada@example.org', variables: { name: 'Ada' } });
        const { id } = answer.body as { id: string };
        await bench.drain();
        // A job that waits for another attempt also has a reason.
        const waiting = JSON.stringify(await bench.service.jobs.list({ state: 'ready' }));
        for (let count = 0; count < 8; count += 1) {
          bench.advanceClock(12 * hour);
          await bench.drain();
        }
        const send = await bench.readSend(id);
        assert.is(send.status, 'failed');
        const bodies = receiver.received.map(({ body }) => body);
        const types = bodies.map((body) => JSON.parse(body).type);
        assert.equal(
          new Set(types),
          new Set(send.events.map(({ type }: { type: string }) => type)),
          'each event went to the webhook',
        );
        assert.ok(types.includes('send.failed'));
        const responses = [
          send,
          bodies,
          waiting,
          await calls.sends.list(),
          await calls.webhooks.deliveries({ id: webhook }),
          await calls.audit.list(),
          await bench.service.jobs.list({ limit: 100 }),
        ];
        assert.not.match(JSON.stringify(responses), secret);
        assert.match(send.whyNotSent, 'The mail adapter failed in an unexpected way.');
        const lines = bench.logged.filter((line) => line.includes(secret));
        assert.ok(lines.length > 0 && lines.every((line) => line.includes(id)), 'the log has the cause, with the send');
      } finally {
        await bench.close();
        await receiver.close();
      }
    });
});
