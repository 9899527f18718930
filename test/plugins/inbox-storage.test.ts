// The messages that the inbox stores: their sends, their number, their retention, and their encryption in the database.
// time-limit: 400
// full-run: slow
import * as assert from 'uvu/assert';
import { type CaptureMail, captureMail } from '../../adapters/mail/capture.ts';
import type { TransactionContext } from '../../core/index.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { MailError, type OutgoingMail } from '../../plugins/email/port/index.ts';
import { type InboxService, inboxPlugin } from '../../plugins/inbox/index.ts';
import { maxBytes, maxMessages } from '../../plugins/inbox/service.ts';
import { twoDatabases } from '../support/databases.ts';
import { type InboxBench, openInboxBench, staff } from '../support/inbox-bench.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const hour = 3_600_000;
const day = 24 * hour;
const variables = { name: 'Ada' };

const secrets = {
  body: 'PLANTED-code-7731',
  attachment: 'PLANTED-attachment-8842',
  filename: 'PLANTED-filename-9953.txt',
  header: 'PLANTED-header-1064',
  replyTo: 'planted-reply-2175@example.com',
} as const;

/** Every form in which a text could be stored: plain, in base64 at any offset, in hex. */
const formsOf = (secret: string): string[] => [
  secret,
  ...[0, 1, 2].map((offset) =>
    Buffer.from('x'.repeat(offset) + secret)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  ),
  Buffer.from(secret).toString('hex'),
];

const serviceOf = (bench: { service: InboxBench['service'] }): InboxService => {
  const { inbox } = bench.service.core.services;
  if (inbox === undefined) throw new Error('There is no inbox.');
  return inbox;
};

const mailTo = (email: string): OutgoingMail => ({
  messageId: '<msg_1@example.com>',
  from: { email: 'hello@example.com' },
  to: { email },
  subject: 'Kept',
  html: '<p>Kept</p>',
  text: 'Kept',
  headers: {},
  attachments: [],
  date: new Date(0),
});

/** Runs on the sandbox side, which contains the messages of these tests. */
const transact = async (bench: InboxBench, work: (ctx: TransactionContext) => Promise<void>): Promise<void> => {
  const { core } = bench.service;
  const workspace = await readWorkspace(core, bench.workspaceId);
  await inWorkspace(core, workspace, (ctx) => work({ ...ctx, trx: ctx.trx.onSide(true) }));
};

const keep = (bench: InboxBench, ctx: TransactionContext, id: string): Promise<void> => {
  const send = { id, templateKey: 'kept', origin: 'sandbox' } as const;
  return serviceOf(bench).store(ctx, { send, mail: mailTo(`${id}@example.com`) });
};

await twoDatabases('storage of the inbox', (test, database) => {
  const withBench = async (
    run: (bench: InboxBench) => Promise<void>,
    options: Parameters<typeof openInboxBench>[0] = {},
  ): Promise<void> => {
    const bench = await openInboxBench({ database, ...options });
    try {
      await bench.publish('hello');
      await run(bench);
    } finally {
      await bench.close();
    }
  };

  test('the inbox stores sandbox sends, test sends of live keys, and live sends that a capturing adapter takes', () =>
    withBench(async (bench) => {
      await bench.send('hello', { to: 'sandbox@example.com', variables });
      bench.advanceClock(1);
      await bench.send('hello', { to: 'live@example.com', variables }, bench.liveKey);
      bench.advanceClock(1);
      await bench.service
        .as(bench.workspaceId)
        .email.sendTest({ template: 'hello', to: 'test@example.com', variables });
      await bench.drain();
      assert.equal(
        (await bench.messages()).map(({ to, origin, status }) => [to, origin, status]),
        [
          ['test@example.com', 'test', 'delivered'],
          ['live@example.com', 'live', 'sent'],
          ['sandbox@example.com', 'sandbox', 'delivered'],
        ],
      );
    }));

  test('if the adapter sends real mail, only sandbox messages are stored', async () => {
    const bench = await openMailBench(database);
    try {
      await bench.publish('hello');
      await bench.send('hello', { to: 'live@example.com', variables });
      await bench.send('hello', { to: 'sandbox@example.com', variables }, { key: bench.testKey });
      await bench.drain();
      assert.is(bench.sink.messages.length, 1);
      const headers = { host: 'localhost' };
      const { body } = await bench.service.dispatch({
        method: 'GET',
        url: '/inbox/messages',
        headers,
        body: undefined,
      });
      assert.equal(
        JSON.parse(String(body)).data.map(({ to }: { to: string }) => to),
        ['sandbox@example.com'],
      );
    } finally {
      await bench.close();
    }
  });

  test('every part of a body is encrypted in the database, and readers see all of it', () =>
    withBench(async (bench) => {
      await bench.publish('code', { subject: 'Your code', body: '<p>Code {{code}}</p>', text: 'Code {{code}}' });
      const id = await bench.send('code', {
        to: 'planted@example.com',
        variables: { code: secrets.body },
        headers: { 'X-Ref': secrets.header },
        replyTo: { email: secrets.replyTo },
        attachments: [
          {
            filename: secrets.filename,
            content_type: 'text/plain',
            data_base64: Buffer.from(secrets.attachment).toString('base64'),
          },
        ],
      });
      const { core } = bench.service;
      const db = await core.database();
      for (const table of ['inbox_messages', 'inbox_parts']) {
        const { rows } = await db.driver.read((connection) =>
          connection.query({ sql: `select * from ${db.prefix}${table}`, parameters: [] }),
        );
        assert.ok(rows.length > 0, table);
        for (const value of rows.flatMap((row) => Object.values(row))) {
          const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
          for (const secret of Object.values(secrets)) {
            for (const form of formsOf(secret)) assert.not.ok(text.toLowerCase().includes(form.toLowerCase()), secret);
          }
        }
      }
      const { text } = await bench.ask(`/messages/${id}`);
      for (const secret of [secrets.body, secrets.header, secrets.replyTo, secrets.filename])
        assert.ok(text.includes(secret), secret);
      assert.is((await bench.ask(`/messages/${id}/attachments/0`)).text, secrets.attachment);
    }));

  test('a part that is moved to another message cannot be decrypted', () =>
    withBench(
      async (bench) => {
        const one = await bench.send('hello', { to: 'one@example.com', variables });
        const two = await bench.send('hello', { to: 'two@example.com', variables });
        await transact(bench, async ({ trx }) => {
          const rows = trx.db.selectFrom('inbox_parts').selectAll().where('workspace_id', '=', trx.workspaceId);
          const stolen = await rows.where('send_id', '=', one).executeTakeFirstOrThrow();
          await trx.db
            .updateTable('inbox_parts')
            .set({ sealed: stolen.sealed })
            .where('workspace_id', '=', trx.workspaceId)
            .where('send_id', '=', two)
            .execute();
        });
        assert.is((await bench.ask(`/messages/${one}`)).status, 200);
        assert.is((await bench.ask(`/messages/${two}`)).status, 500);
      },
      { logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } },
    ));

  test('a send has one message even if its job runs twice', () =>
    withBench(async (bench) => {
      const body = { to: 'twice@example.com', variables, simulationScenario: 'opened' };
      const id = await bench.send('hello', body);
      await transact(bench, async ({ trx }) => {
        await trx.db
          .updateTable('jobs')
          .set({ state: 'ready', finished_at: null })
          .where('workspace_id', '=', trx.workspaceId)
          .where('kind', '=', 'email.simulate')
          .execute();
      });
      await bench.drain();
      const { events } = (await bench.request(`/v1/sends/${id}`, { key: bench.testKey })).body;
      assert.is(events.length, 3, 'the job has not run a second time, so this test checks nothing');
      assert.is(bench.mail.messages().length, 2);
      assert.equal(
        (await bench.messages()).map((message) => message.id),
        [id],
      );
    }));

  test('a live message whose first hand-over failed is stored once, by the successful attempt', async () => {
    const capture = captureMail();
    let attempts = 0;
    const mail: CaptureMail = {
      ...capture,
      async send(message, options) {
        attempts += 1;
        if (attempts === 1) throw new MailError('transient', 'Not now.');
        return capture.send(message, options);
      },
    };
    await withBench(
      async (bench) => {
        await bench.send('hello', { to: 'late@example.com', variables }, bench.liveKey);
        assert.is((await bench.messages()).length, 0);
        bench.advanceClock(30_000);
        await bench.drain();
        assert.equal([attempts, (await bench.messages()).length], [2, 1]);
      },
      { mail },
    );
  });

  test('if the transaction that records a message is rolled back, the message is not stored', () =>
    withBench(async (bench) => {
      const failing = transact(bench, async (ctx) => {
        await keep(bench, ctx, 'snd_rolled');
        throw new Error('rolled back');
      });
      await failing.then(
        () => assert.unreachable(),
        (error: Error) => assert.is(error.message, 'rolled back'),
      );
      assert.equal(await bench.messages(), []);
    }));

  test('another process sees the same messages, and a restart loses no message', async () => {
    const storage = database.createStorage;
    const tablePrefix = database.newPrefix();
    const first = await createTestService({ plugins: bareStandardPlugins, storage: storage(), tablePrefix });
    const { templates, email } = first.service.as(first.workspaceId, { sandbox: true });
    await templates.create({ key: 'hello', mode: 'html', subject: 'Hello', body: '<p>{{name}}</p>' });
    await email.send({ template: 'hello', to: 'kept@example.com', variables });
    await first.drain();
    const listOf = async ({ service }: typeof first) => {
      const url = `/inbox/messages?workspace=${first.workspaceId}`;
      const headers = { host: 'localhost' };
      return JSON.parse(String((await service.dispatch({ method: 'GET', url, headers, body: undefined })).body)).data;
    };
    const second = await createTestService({ plugins: bareStandardPlugins, storage: storage(), tablePrefix });
    const before = await listOf(first);
    assert.is(before.length, 1);
    assert.equal(await listOf(second), before);
    await first.close();
    await second.close();
    const third = await createTestService({ plugins: bareStandardPlugins, storage: storage(), tablePrefix });
    assert.equal(await listOf(third), before);
    const url = `/inbox/messages/${before[0].id}/html?workspace=${first.workspaceId}`;
    const html = await third.service.dispatch({ method: 'GET', url, headers: { host: 'localhost' }, body: undefined });
    assert.match(String(html.body), '<p>Ada</p>');
    await third.close();
  });

  test('messages are removed after 7 days, with all their parts', () =>
    withBench(async (bench) => {
      await bench.send('hello', { to: 'old@example.com', variables });
      bench.advanceClock(7 * day - 2 * hour);
      await bench.send('hello', { to: 'young@example.com', variables });
      assert.is((await bench.messages()).length, 2);
      bench.advanceClock(4 * hour);
      await bench.drain();
      assert.equal(
        (await bench.messages()).map(({ to }) => to),
        ['young@example.com'],
      );
      await transact(bench, async ({ trx }) => {
        const parts = await trx.db
          .selectFrom('inbox_parts')
          .select('send_id')
          .where('workspace_id', '=', trx.workspaceId)
          .execute();
        assert.is(parts.length, 1);
      });
    }));

  test('a workspace keeps a limited number of the newest messages, and other workspaces lose no message', () =>
    withBench(async (bench) => {
      const foreign = bench.service.as(bench.foreignWorkspaceId, { sandbox: true });
      await foreign.templates.create({ key: 'hello', mode: 'html', subject: 'Hello', body: '<p>{{name}}</p>' });
      await foreign.email.send({ template: 'hello', to: 'other@example.com', variables });
      await bench.drain();
      bench.advanceClock(1);
      await transact(bench, async (ctx) => {
        for (let count = 0; count < maxMessages; count += 1) {
          await keep(bench, ctx, `snd_${String(count).padStart(5, '0')}`);
        }
      });
      bench.advanceClock(1);
      await bench.send('hello', { to: 'newest@example.com', variables });
      const { total } = (await bench.ask(`/messages?workspace=${bench.workspaceId}`)).json;
      assert.is(total, maxMessages);
      assert.is((await bench.messages())[0].to, 'newest@example.com');
      assert.is((await bench.ask('/messages/snd_00000')).status, 404);
      assert.is((await bench.ask('/messages/snd_00001')).status, 200);
      assert.is((await bench.messages(`?workspace=${bench.foreignWorkspaceId}`)).length, 1);
    }));

  test('a workspace keeps a limited number of bytes', () =>
    withBench(async (bench) => {
      const large = await bench.send('hello', { to: 'large@example.com', variables });
      await transact(bench, async ({ trx }) => {
        await trx.db
          .updateTable('inbox_messages')
          .set({ size: maxBytes - 100 })
          .where('workspace_id', '=', trx.workspaceId)
          .execute();
      });
      bench.advanceClock(1);
      const small = await bench.send('hello', { to: 'small@example.com', variables });
      assert.equal(
        (await bench.messages()).map(({ id }) => id),
        [small],
      );
      assert.is((await bench.ask(`/messages/${large}/html`)).status, 404);
    }));

  test('a send contains a link to its message only if somebody can open it', async () => {
    const local = 'http://localhost:3000/messaging';
    const distant = 'https://app.example.com/messaging';
    let workspaceId = '';
    const access = () => staff([workspaceId]);
    const cases: readonly (readonly [Parameters<typeof openInboxBench>[0], boolean])[] = [
      [{}, false],
      [{ publicUrl: local }, true],
      [{ publicUrl: distant }, false],
      [{ publicUrl: local, environment: 'production' }, false],
      [{ publicUrl: distant, environment: 'production', access }, true],
    ];
    for (const [options, isGiven] of cases) {
      await withBench(async (bench) => {
        ({ workspaceId } = bench);
        const { id } = await bench.service
          .as(bench.workspaceId)
          .email.sendTest({ template: 'hello', to: 'link@example.com', variables });
        const url = serviceOf(bench).urlOf(bench.workspaceId, id);
        assert.is(url !== undefined, isGiven, JSON.stringify(options));
        if (url === undefined) return;
        await bench.drain();
        const { pathname, search, host } = new URL(url);
        const path = pathname.replace('/messaging/inbox', '');
        assert.is((await bench.ask(path + search, { headers: { host } })).status, 200);
        const message = await bench.ask(`${path.replace('/m/', '/messages/')}${search}`, { headers: { host } });
        assert.is(message.json.to.email, 'link@example.com');
      }, options);
    }
  });

  test('a service without an inbox still sends mail', async () => {
    const plugins = bareStandardPlugins.filter(({ id }) => id !== 'inbox');
    assert.is(plugins.length, bareStandardPlugins.length - 1);
    const bench = await createTestService({
      plugins,
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
    const { templates, email, sends } = bench.service.as(bench.workspaceId, { sandbox: true });
    await templates.create({ key: 'hello', mode: 'html', subject: 'Hello', body: '<p>{{name}}</p>' });
    const { id } = await email.send({ template: 'hello', to: 'a@example.com', variables });
    await bench.drain();
    assert.is((await sends.read({ id })).status, 'delivered');
    await bench.close();
  });

  test('the plugin declares the plugins that it requires', () => {
    assert.equal(inboxPlugin().requires, ['email', 'templates']);
  });
});
