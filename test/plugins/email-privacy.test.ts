// Data that must stay secret: planted secrets are searched for in every table, every log line and every audit entry.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const secrets = {
  variable: 'PLANTED-variable-7731',
  attachment: 'PLANTED-attachment-8842',
  header: 'PLANTED-header-9953',
  replyTo: 'planted-reply-1064@example.com',
  unknownValue: 'PLANTED-unknown-2175',
  brokenJson: 'PLANTED-json-3286',
} as const;

const body = '<html><body><p>Your code is {{code}}</p></body></html>';
const send = {
  to: 'planted-recipient-4397@example.org',
  variables: { code: secrets.variable },
  headers: { 'X-Ref': secrets.header },
  replyTo: { email: secrets.replyTo },
  attachments: [
    {
      filename: 'a.txt',
      content_type: 'text/plain',
      data_base64: Buffer.from(secrets.attachment).toString('base64'),
    },
  ],
};

/** Every form in which a text could be stored: plain, in base64 at any offset, in hex. */
function formsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from('x'.repeat(offset) + secret)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return [secret, ...inBase64, Buffer.from(secret).toString('hex')];
}

const holds = (haystack: string, secret: string): boolean =>
  formsOf(secret).some((form) => haystack.toLowerCase().includes(form.toLowerCase()));

await eachDatabase('secrets of a send', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('code', { subject: 'Your code', body });
  });
  test.after(() => bench.close());

  /** Every value of every table, labelled with its table and column. */
  const cells = async (): Promise<{ place: string; text: string }[]> => {
    const { core } = bench.service;
    const db = await core.database();
    const cells: { place: string; text: string }[] = [];
    for (const table of core.registry.tables.keys()) {
      const { rows } = await db.driver.read((connection) =>
        connection.query({ sql: `select * from ${db.prefix}${table}`, parameters: [] }),
      );
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
          cells.push({ place: `${table}.${column}`, text });
        }
      }
    }
    return cells;
  };
  const columnsWith = async (secret: string): Promise<string[]> => [
    ...new Set((await cells()).filter(({ text }) => holds(text, secret)).map(({ place }) => place)),
  ];

  test('the search finds unencrypted texts', async () => {
    assert.ok(holds(`..${Buffer.from(`ab${secrets.variable}`).toString('base64')}..`, secrets.variable));
    assert.equal(await columnsWith('Your code is'), [
      'templates.body',
      'template_versions.source',
      'template_versions.html',
      'template_versions.text_part',
    ]);
  });

  const interfaces = {
    REST: () => bench.send('code', send),
    'the tool': () => bench.tool('send_transactional', { template: 'code', ...send, idempotency_key: 'tool' }),
    'a sandbox key': () => bench.send('code', send, { key: bench.testKey }),
  };
  for (const [interfaceName, call] of Object.entries(interfaces)) {
    test(`variables, attachments, headers and reply address of a send over ${interfaceName} are sealed at rest`, async () => {
      const { status } = await call();
      assert.ok(status === 202 || status === 200);
      for (const [name, secret] of Object.entries(secrets))
        assert.equal(await columnsWith(secret), [], `${name}, accepted`);
      await bench.drain();
      for (const [name, secret] of Object.entries(secrets))
        assert.equal(await columnsWith(secret), [], `${name}, delivered`);
    });
  }

  test('the mail contains all secrets', async () => {
    const raw = bench.sink.messages.map((message) => message.raw.toString('latin1')).join('');
    for (const secret of [secrets.variable, secrets.attachment, secrets.header, secrets.replyTo]) {
      assert.ok(holds(raw, secret), secret);
    }
  });

  test('the sealed bytes are different for each send', async () => {
    const sealedCells = (await cells()).filter(({ place }) => place === 'send_contents.sealed').map(({ text }) => text);
    assert.ok(sealedCells.length >= 3);
    assert.is(new Set(sealedCells).size, sealedCells.length);
  });

  test('the full recipient is stored with the send and shown there, but never in the audit', async () => {
    const columns = await columnsWith('planted-recipient-4397');
    assert.equal(columns.sort(), [
      'idempotency.answer',
      'inbox_messages.search_text',
      'inbox_messages.to_address',
      'inbox_messages.to_normalised',
      'outbox.data',
      'outbox.subject',
      'sends.to_address',
      'sends.to_normalised',
    ]);
    const { body: page } = await bench.request('/v1/audit?limit=100');
    const [entry] = page.data.filter(({ action }: { action: string }) => action === 'transactional.send');
    assert.equal(entry.metadata, { template: 'code', to_domain: 'example.org' });
    const suppression = { email: send.to, note: 'PLANTED-note' };
    await bench.request('/v1/suppressions', { body: suppression, headers: { 'idempotency-key': 'audit' } });
    await bench.request(`/v1/suppressions/${encodeURIComponent(send.to)}`, { method: 'DELETE' });
    const audit = (await cells()).filter(({ place }) => place.startsWith('audit.'));
    assert.is(
      audit.some(({ text }) => holds(text, 'planted-recipient') || holds(text, 'PLANTED-note')),
      false,
    );
    assert.ok(audit.some(({ place, text }) => place === 'audit.target_id' && text === 'example.org'));
  });

  test('an error repeats no value of the send', async () => {
    const refusals = await Promise.all([
      bench.send('code', { ...send, surprise: secrets.unknownValue }),
      bench.send('code', { ...send, variables: { code: secrets.variable, other: secrets.unknownValue } }),
      bench.send('code', { ...send, variables: { code: { nested: secrets.unknownValue } } }),
      bench.send('code', { ...send, simulationScenario: secrets.unknownValue }),
      bench.send('code', { ...send, headers: { 'X-Ref': `${secrets.header}\n` } }),
      bench.send('code', { ...send, to: secrets.unknownValue }),
      bench.send('code', `{"variables":{"code":"${secrets.brokenJson}"x}}`),
      bench.send('code', secrets.brokenJson),
      bench.send('code', `"${secrets.brokenJson}`),
    ]);
    for (const { status, body: answer } of refusals) {
      assert.ok(status === 400 || status === 422, String(status));
      for (const secret of Object.values(secrets))
        assert.is(holds(JSON.stringify(answer), secret), false, JSON.stringify(answer));
    }
  });

  test('logs of delays, bounces and failures contain no content either', async () => {
    bench.sink.answer('delayed@example.org', { code: 451, text: '4.3.0 Later' });
    bench.sink.answer('dead@example.org', { code: 550, text: '5.1.1 No such user' });
    for (const to of ['delayed@example.org', 'dead@example.org']) await bench.send('code', { ...send, to });
    await bench.drain();
    bench.advanceClock(30_000);
    await bench.drain();
    const db = await bench.service.core.database();
    await db.transact(async (scope) => {
      const { db: rows, workspaceId } = scope.handle(bench.workspaceId);
      await rows
        .updateTable('send_contents')
        .set({ sealed: Buffer.from('damaged') })
        .where('workspace_id', '=', workspaceId)
        .execute();
    });
    await bench.send('code', { ...send, to: 'delayed@example.org' });
    bench.advanceClock(120_000);
    await bench.drain();
    assert.ok(bench.logged.length > 0, 'the damaged content was not logged, so this test cannot find anything');
    for (const line of bench.logged) {
      for (const secret of Object.values(secrets)) assert.is(holds(line, secret), false, line);
      assert.is(line.includes('planted-recipient'), false, line);
    }
  });

  test('log lines and tables contain only the prefix of a key', async () => {
    for (const key of [bench.liveKey, bench.testKey]) {
      const random = key.slice(key.lastIndexOf('_') + 7);
      assert.equal(await columnsWith(random), []);
      assert.is(
        bench.logged.some((line) => line.includes(random)),
        false,
      );
    }
  });
});
