// The effect of a mail server that is busy or cannot be reached: the table of retries, one Message-ID over all attempts, and templates
// that are sent at most once.
// full-run: slow
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { AdapterChoice } from '../../core/contract/declaration/port.ts';
import { OutageLog } from '../../core/jobs/outage-log.ts';
import { UnknownKinds } from '../../core/jobs/unknown-kinds.ts';
import { Worker } from '../../core/jobs/worker.ts';
import type { MailAdapter, MailSendOptions } from '../../plugins/email/port/index.ts';
import { type TestDatabase, twoDatabases } from '../support/databases.ts';
import { gate } from '../support/job-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { deadPort, ScriptedSmtpServer, type SmtpScript } from '../support/smtp-server.ts';
import { statisticsOf } from '../support/table-statistics.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const table = [30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour];
const variables = { name: 'Ada' };
const typesOf = (send: { events: { type: string }[] }) => send.events.map(({ type }) => type);

interface Attempts {
  readonly bench: MailBench;
  /** The Message-ID of every hand-over that began. */
  readonly messageIds: string[];
}

/** Calls `run` with a service whose SMTP adapter records the Message-ID of each hand-over. */
async function withCountedHandOvers(
  database: TestDatabase,
  port: (bench: MailBench) => number,
  run: (attempts: Attempts) => Promise<void>,
  template: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const messageIds: string[] = [];
  let bench: MailBench | undefined;
  const resolve: AdapterChoice<MailAdapter> = () => {
    const smtp = smtpMail({ host: '127.0.0.1', port: port(bench as MailBench), tls: { rejectUnauthorized: false } });
    const countingAdapter: MailAdapter = {
      ...smtp,
      send: (mail, options) => {
        messageIds.push(mail.messageId);
        return smtp.send(mail, options);
      },
    };
    return countingAdapter;
  };
  bench = await openMailBench(database, { mail: resolve });
  try {
    await bench.publish('receipt', template);
    await run({ bench, messageIds });
  } finally {
    await bench.close();
  }
}

/** Calls `run` with a mail server that plays one script for each connection. */
async function withScriptedServer(
  database: TestDatabase,
  script: SmtpScript | ((connection: number) => SmtpScript),
  run: (attempts: Attempts & { server: ScriptedSmtpServer }) => Promise<void>,
  template: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const server = await ScriptedSmtpServer.start(script);
  try {
    await withCountedHandOvers(
      database,
      () => server.port,
      (attempts) => run({ ...attempts, server }),
      template,
    );
  } finally {
    await server.stop();
  }
}

const accept = async (bench: MailBench, to = 'ada@example.org'): Promise<{ id: string; messageId: string }> => {
  const { status, body } = await bench.send('receipt', { to, variables });
  assert.is(status, 202, JSON.stringify(body));
  return body;
};

/** An adapter whose hand-over is a function that the test gives. */
const adapterWith = (handOver: (options: MailSendOptions) => Promise<void>): MailAdapter => ({
  ...smtpMail({ host: '127.0.0.1' }),
  id: 'inline',
  async send({ messageId }, options) {
    await handOver(options);
    return { providerMessageId: messageId, response: '250 taken' };
  },
});

await twoDatabases('retries of a delivery', (test, database) => {
  const servers: Record<string, (run: (attempts: Attempts) => Promise<void>) => Promise<void>> = {
    'says 451': (run) =>
      withCountedHandOvers(
        database,
        (bench) => bench.sink.port,
        async (attempts) => {
          attempts.bench.sink.answer('ada@example.org', { code: 451, text: '4.3.0 Try again later' });
          await run(attempts);
        },
      ),
    'refuses the connection': async (run) => {
      const port = await deadPort();
      await withCountedHandOvers(database, () => port, run);
    },
  };

  for (const [says, withServer] of Object.entries(servers)) {
    test(`a server that ${says} is retried exactly at the times of the table, and then the send fails`, () =>
      withServer(async ({ bench, messageIds }) => {
        const { id, messageId } = await accept(bench);
        await bench.drain();
        assert.is(messageIds.length, 1);
        for (const [index, wait] of table.entries()) {
          assert.equal(typesOf(await bench.readSend(id)), ['send.queued', 'send.delivery_delayed']);
          bench.advanceClock(wait - 1);
          await bench.drain();
          assert.is(messageIds.length, index + 1, `tried before its time (wait ${index + 1})`);
          bench.advanceClock(1);
          await bench.drain();
          assert.is(messageIds.length, index + 2, `not tried at its time (wait ${index + 1})`);
        }
        const send = await bench.readSend(id);
        assert.is(send.status, 'failed');
        assert.equal(typesOf(send), ['send.queued', 'send.delivery_delayed', 'send.failed']);
        assert.match(send.whyNotSent, 'The last attempt failed');
        const jobs = (await bench.service.jobs.list()).map(({ kind, isFinal }) => [kind, isFinal]);
        assert.equal(jobs, [['email.deliver', true]], 'the operator sees the failed send');
        assert.equal(new Set(messageIds), new Set([`<${messageId}@example.com>`]));
        bench.advanceClock(100 * hour);
        await bench.drain();
        assert.is(messageIds.length, 8);
        const { body } = await bench.request('/v1/suppressions');
        assert.equal(body.data, []);
      }));
  }

  test('if a server accepts the message at the third attempt, it gets the message once, with the Message-ID of the first attempt', () =>
    withCountedHandOvers(
      database,
      (bench) => bench.sink.port,
      async ({ bench, messageIds }) => {
        bench.sink.answer('ada@example.org', { code: 450, text: '4.2.1 Busy', times: 2 });
        const { id, messageId } = await accept(bench);
        await bench.drain();
        assert.is((await bench.readSend(id)).status, 'delivery_delayed');
        for (const wait of table.slice(0, 2)) {
          bench.advanceClock(wait);
          await bench.drain();
        }
        const send = await bench.readSend(id);
        assert.equal(typesOf(send), ['send.queued', 'send.delivery_delayed', 'send.sent']);
        assert.is(send.status, 'sent', 'after a delayed message has left, its status is sent');
        assert.is(messageIds.length, 3);
        assert.equal(
          bench.sink.messages.map((sunk) => sunk.messageId),
          [`<${messageId}@example.com>`],
        );
        const [email] = await bench.received();
        assert.is(Date.parse(email?.date ?? ''), Date.parse(send.createdAt), 'the date is that of the first attempt');
      },
    ));

  test('at-least-once: if the connection breaks after the content, the send is retried', () =>
    withScriptedServer(
      database,
      (connection) => (connection === 1 ? { content: 'drop' } : {}),
      async ({ bench, server, messageIds }) => {
        const { id } = await accept(bench);
        await bench.drain();
        assert.is((await bench.readSend(id)).status, 'delivery_delayed');
        bench.advanceClock(30 * second);
        await bench.drain();
        assert.equal(typesOf(await bench.readSend(id)), ['send.queued', 'send.delivery_delayed', 'send.sent']);
        assert.is(server.contents.length, 2);
        assert.is(new Set(messageIds).size, 1);
      },
    ));

  const atMostOnce = { delivery: 'at-most-once' };

  test('at-most-once: if the connection breaks after the content, the send is never retried', () =>
    withScriptedServer(
      database,
      { content: 'drop' },
      async ({ bench, server, messageIds }) => {
        const { id } = await accept(bench);
        await bench.drain();
        const send = await bench.readSend(id);
        assert.is(send.status, 'failed');
        assert.match(send.whyNotSent, 'at most once');
        bench.advanceClock(100 * hour);
        await bench.drain();
        assert.is(messageIds.length, 1);
        assert.is(server.contents.length, 1);
      },
      atMostOnce,
    ));

  test('at-most-once: a server that refuses has accepted nothing, so the send is retried', () =>
    withCountedHandOvers(
      database,
      (bench) => bench.sink.port,
      async ({ bench }) => {
        bench.sink.answer('ada@example.org', { code: 451, text: '4.3.0 Try again later', times: 1 });
        const { id } = await accept(bench);
        await bench.drain();
        assert.is((await bench.readSend(id)).status, 'delivery_delayed');
        bench.advanceClock(30 * second);
        await bench.drain();
        assert.equal(typesOf(await bench.readSend(id)), ['send.queued', 'send.delivery_delayed', 'send.sent']);
        assert.is(bench.sink.messages.length, 1);
      },
      atMostOnce,
    ));

  test('at-most-once: a server that was not reached has accepted nothing, so the send is retried', async () => {
    const port = await deadPort();
    await withCountedHandOvers(
      database,
      () => port,
      async ({ bench, messageIds }) => {
        const { id } = await accept(bench);
        await bench.drain();
        assert.is((await bench.readSend(id)).status, 'delivery_delayed');
        bench.advanceClock(30 * second);
        await bench.drain();
        assert.is(messageIds.length, 2);
      },
      atMostOnce,
    );
  });

  test('at-most-once: if a process stops during the hand-over, the send is never retried', () =>
    withCountedHandOvers(
      database,
      (bench) => bench.sink.port,
      async ({ bench, messageIds }) => {
        const { id } = await accept(bench);
        const db = await bench.service.core.database();
        // The state in the database after the process stopped during its hand-over.
        await db.transact(async (scope) => {
          const { db: rows, workspaceId } = scope.handle(bench.workspaceId);
          const began = rows.updateTable('sends').set({ handed_over_at: bench.now() });
          await began.where('workspace_id', '=', workspaceId).where('id', '=', id).execute();
        });
        await bench.drain();
        const send = await bench.readSend(id);
        assert.equal([send.status, typesOf(send)], ['failed', ['send.queued', 'send.failed']]);
        assert.match(send.whyNotSent, 'at most once');
        assert.equal(messageIds, []);
      },
      atMostOnce,
    ));

  for (const delivery of ['at-least-once', 'at-most-once'] as const) {
    const ending =
      delivery === 'at-least-once' ? 'returns the job without counting an attempt' : 'leaves the send failed';
    test(`${delivery}: a service that stops during the hand-over ${ending}`, async () => {
      const entered = gate();
      let hangs = true;
      const bench = await openMailBench(database, {
        mail: adapterWith(async ({ signal }) => {
          if (!hangs) return;
          const aborted = new Promise<void>((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('the connection was given up')));
          });
          entered.open();
          await aborted;
        }),
      });
      await bench.publish('receipt', { delivery });
      const { id } = await accept(bench);
      const { core } = bench.service;
      const unknownKinds = new UnknownKinds(core);
      const jobContext = { core, database: await core.database(), outages: new OutageLog(core.log), unknownKinds };
      const worker = new Worker({
        ...jobContext,
        statistics: statisticsOf(await core.database()),
        concurrency: 1,
        outboundConcurrency: 10,
        durableEnds: false,
        leaseMs: minute,
      });
      worker.open();
      worker.wake();
      await entered.passed;
      await worker.close(1);
      if (delivery === 'at-most-once') {
        assert.equal(typesOf(await bench.readSend(id)), ['send.queued', 'send.failed']);
      } else {
        assert.equal(typesOf(await bench.readSend(id)), ['send.queued']);
        const [job] = await bench.service.jobs.list({ state: 'ready' });
        assert.equal([job?.attempt, job?.reason], [0, 'stopped']);
        hangs = false;
        await bench.drain();
        assert.equal(typesOf(await bench.readSend(id)), ['send.queued', 'send.sent']);
      }
      await bench.close();
    });
  }

  test('a suspended workspace sends no accepted message, and sends all of them after it is resumed', () =>
    withCountedHandOvers(
      database,
      (bench) => bench.sink.port,
      async ({ bench, messageIds }) => {
        const queuedSend = await accept(bench);
        const send_at = new Date(bench.now() + hour).toISOString();
        const scheduledSend = await bench.send('receipt', { to: 'later@example.org', variables, send_at });
        const sandbox = await bench.send('receipt', { to: 'a@example.org', variables }, { key: bench.testKey });
        await bench.service.workspaces.suspend(bench.workspaceId);
        await bench.drain();
        bench.advanceClock(2 * hour);
        await bench.drain();
        assert.equal(messageIds, []);
        assert.is((await bench.readSend(sandbox.body.id)).events.length, 1);
        await bench.service.workspaces.resume(bench.workspaceId);
        bench.advanceClock(5 * minute);
        await bench.drain();
        for (const id of [queuedSend.id, scheduledSend.body.id]) assert.is((await bench.readSend(id)).status, 'sent');
        assert.is((await bench.readSend(sandbox.body.id)).status, 'delivered');
        assert.is(messageIds.length, 2);
      },
    ));

  test('recording the hand-over keeps changes that others made to the send meanwhile', async () => {
    let changeMeanwhile = async (): Promise<void> => undefined;
    const bench = await openMailBench(database, {
      mail: adapterWith(() => changeMeanwhile()),
    });
    await bench.publish('receipt');
    const { id } = await accept(bench);
    changeMeanwhile = async () => {
      const db = await bench.service.core.database();
      await db.transact((scope) =>
        scope
          .handle(bench.workspaceId)
          .db.updateTable('sends')
          .set({ status: 'delivered', opens: 2, clicks: 1 })
          .where('workspace_id', '=', bench.workspaceId)
          .where('id', '=', id)
          .execute(),
      );
    };
    await bench.drain();
    const send = await bench.readSend(id);
    assert.equal(typesOf(send), ['send.queued', 'send.sent']);
    assert.equal([send.status, send.opens, send.clicks, send.connectorProvider], ['delivered', 2, 1, 'inline']);
    await bench.close();
  });

  test('if choosing the mail adapter throws an error, the send is delayed as if the server were unavailable', async () => {
    let isBroken = true;
    const bench = await openMailBench(database, {
      mail: () => {
        if (isBroken) throw new Error('the directory of mail servers is unavailable');
        return smtpMail({ host: '127.0.0.1', port: bench.sink.port, tls: { rejectUnauthorized: false } });
      },
    });
    await bench.publish('receipt');
    const { id } = await accept(bench);
    assert.is((await bench.readSend(id)).connectorProvider, 'pending');
    await bench.drain();
    const delayedSend = await bench.readSend(id);
    assert.is(delayedSend.status, 'delivery_delayed');
    // The adapter did not write the text of this error, so it may contain anything.
    assert.not.match(JSON.stringify(delayedSend), 'directory');
    isBroken = false;
    bench.advanceClock(30 * second);
    await bench.drain();
    assert.is((await bench.readSend(id)).connectorProvider, 'smtp');
    assert.is(bench.sink.messages.length, 1);
    await bench.close();
  });

  test('without a mail adapter a live send fails with advice, and a sandbox send is delivered', async () => {
    const bench = await openMailBench(database, { mail: undefined as never });
    await bench.publish('receipt');
    const { id } = await accept(bench);
    const sandbox = await bench.send('receipt', { to: 'a@example.org', variables }, { key: bench.testKey });
    await bench.drain();
    assert.is((await bench.readSend(id)).status, 'failed');
    assert.match((await bench.readSend(id)).whyNotSent, 'No mail adapter is configured');
    assert.is((await bench.readSend(sandbox.body.id)).status, 'delivered');
    await bench.close();
  });
});
