// time-limit: 300
// Batches: a result for each recipient, at most four batches in flight, the exact budget, attachments that are stored once, and replays.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const day = 86_400_000;

interface Item {
  readonly index: number;
  readonly id?: string;
  readonly status?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: readonly { path: string }[] };
}

await twoDatabases('batches', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('news', { subject: 'Hello {{name}}' });
  });
  test.after(() => bench.close());
  test.before.each(async () => {
    await bench.drain();
    bench.sink.messages.splice(0);
  });

  const post = (body: object, key = bench.liveKey, idempotencyKey?: string) => {
    calls += 1;
    const headers = { 'idempotency-key': idempotencyKey ?? `batch-${calls}` };
    return bench.request('/v1/transactional/batch', { body, key, headers });
  };
  const to = (name: string, more: object = {}) => ({ to: `${name}@example.com`, variables: { name }, ...more });
  const many = (count: number) => Array.from({ length: count }, (_, index) => to(`n${index}`));
  const used = async (): Promise<number> => (await bench.request('/v1/workspace')).body.usage.sends_this_month;
  const codes = (items: readonly Item[]) => items.map(({ status, error }) => status ?? error?.code);

  test('each recipient gets its own message, or the reason why there is no message for it', async () => {
    await bench.request('/v1/suppressions', { body: { email: 'stop@example.com' } });
    const recipients = [
      to('ada', { metadata: { order: 'A-1' } }),
      { to: 'no address', variables: { name: 'x' } },
      { to: 'grace@example.com', variables: { nmae: 'Grace' } },
      to('stop'),
      to('linus', { metadata: { long: 'x'.repeat(5_000) } }),
      { to: 'Alan Turing <alan@example.com>', variables: { name: 'Alan' } },
    ];
    const { status, body } = await post({
      template: 'news',
      metadata: { campaign: 'k', order: 'none' },
      tags: ['t'],
      recipients,
    });
    assert.is(status, 202);
    const items: Item[] = body.data;
    assert.equal(
      items.map(({ index }) => index),
      [0, 1, 2, 3, 4, 5],
    );
    assert.equal(codes(items), [
      'sent',
      'validation_failed',
      'variables_invalid',
      'suppressed',
      'validation_failed',
      'sent',
    ]);
    assert.is(items[1]?.error?.details?.[0]?.path, 'to');
    assert.ok(items[2]?.error?.details?.some(({ path }) => path === 'variables.name'));
    await bench.drain();
    const mails = await bench.received();
    assert.equal(mails.map(({ subject }) => subject).sort(), ['Hello Alan', 'Hello ada']);
    const send = await bench.readSend(String(items[0]?.id));
    assert.equal([send.status, send.metadata, send.tags], ['sent', { campaign: 'k', order: 'A-1' }, ['t']]);
    assert.match(
      (await bench.readSend(String(items[3]?.id))).whyNotSent,
      /^The recipient is suppressed: manual, since /,
    );
    const [entry] = (await bench.request('/v1/audit?action=transactional.batch')).body.data;
    assert.equal(entry.metadata, { template: 'news', recipients: 6, accepted: 2 });
  });

  test('an error that concerns all recipients fails the whole call, and nothing is stored', async () => {
    const recipients = [to('ada')];
    const bodies: Readonly<Record<string, object>> = {
      template_not_found: { template: 'nowhere', recipients },
      from_not_allowed: { template: 'news', from: { email: 'a@elsewhere.example' }, recipients },
      send_at_invalid: { template: 'news', send_at: '2020-01-01T00:00:00Z', recipients },
      validation_failed: { template: 'news', recipients: [{ ...to('ada'), adress: 1 }] },
    };
    for (const [code, body] of Object.entries(bodies)) assert.is((await post(body)).body.error?.code, code);
    for (const recipients of [[], many(1_001)])
      assert.is((await post({ template: 'news', recipients })).body.error.code, 'validation_failed');
    assert.equal((await bench.request('/v1/sends?to=n0@example.com')).body.data, []);
  });

  test('the monthly budget is exact: the first recipients that fit are accepted, and the others fail with send_budget_exhausted', async () => {
    const small = await openMailBench(database, { plans: { pro: { monthlySendBudget: 7 } } });
    await small.publish('news', { subject: 'Hello {{name}}' });
    await small.request('/v1/suppressions', { body: { email: 'n2@example.com' } });
    assert.is((await small.send('news', to('first'))).status, 202);
    const body = { template: 'news', recipients: many(10) };
    const { data } = (await small.request('/v1/transactional/batch', { body })).body;
    const exhausted = 'send_budget_exhausted';
    assert.equal(codes(data), [
      ...['sent', 'sent', 'suppressed', 'sent', 'sent', 'sent', 'sent'],
      ...[exhausted, exhausted, exhausted],
    ]);
    assert.is((await small.send('news', to('last'))).body.error.code, exhausted);
    assert.is((await small.request('/v1/workspace')).body.usage.sends_this_month, 7);
    await small.close();
  });

  test('attachments are stored once for the batch, reach every recipient, and are removed after the last message', async () => {
    const data = Buffer.alloc(50_000, 'x').toString('base64');
    const attachments = [{ filename: 'terms.txt', content_type: 'text/plain', data_base64: data }];
    const { body } = await post({ template: 'news', attachments, recipients: many(5) });
    const storedAttachments = () =>
      bench.service.core
        .database()
        .then(({ read }) =>
          read(bench.workspaceId, (handle) =>
            handle.onSide(false).db.selectFrom('send_attachments').selectAll().execute(),
          ),
        );
    assert.is((await storedAttachments()).length, 1);
    assert.equal(codes(body.data), Array(5).fill('sent'));
    await bench.drain();
    const mails = await bench.received();
    assert.equal(
      mails.map((mail) => mail.attachments.map(({ filename }) => filename)),
      Array(5).fill(['terms.txt']),
    );
    assert.is((await storedAttachments())[0]?.finished_at, null);
    bench.advanceClock(day + 60_000);
    await bench.drain();
    assert.ok((await storedAttachments())[0]?.finished_at !== null, 'the retention of the contents has begun');
    bench.advanceClock(8 * day);
    await bench.drain();
    assert.equal(await storedAttachments(), []);
  });

  test('attachments of a scheduled batch are kept until its time', async () => {
    const attachments = [{ filename: 'terms.txt', content_type: 'text/plain', data_base64: 'eHg=' }];
    const send_at = new Date(bench.now() + 20 * day).toISOString();
    const { body } = await post({ template: 'news', attachments, send_at, recipients: many(2) });
    assert.equal(codes(body.data), ['scheduled', 'scheduled']);
    const cancel = await bench.request(`/v1/sends/${body.data[1].id}/cancel`, { method: 'POST' });
    assert.is(cancel.body.status, 'canceled');
    for (let days = 0; days < 20; days += 5) {
      bench.advanceClock(5 * day);
      await bench.drain();
    }
    await bench.drain();
    const mails = await bench.received();
    assert.equal(
      mails.map((mail) => mail.attachments.length),
      [1],
    );
  });

  test('a repeated call with its key returns the same answer and sends nothing again', async () => {
    const body = { template: 'news', recipients: many(3) };
    const first = await post(body, bench.liveKey, 'once');
    const second = await post(body, bench.liveKey, 'once');
    assert.equal([second.body, second.headers['Idempotent-Replay']], [first.body, 'true']);
    await bench.drain();
    assert.is((await bench.received()).length, 3);
  });

  test('a fifth batch in flight gets 429, and is accepted after another batch was answered', async () => {
    const batch = () => post({ template: 'news', recipients: many(20) });
    const answers = await Promise.all(Array.from({ length: 6 }, batch));
    const refusals = answers.filter(({ status }) => status === 429);
    assert.is(answers.filter(({ status }) => status === 202).length, 4);
    assert.equal(
      refusals.map(({ body, headers }) => [body.error.code, headers['Retry-After']]),
      Array(2).fill(['batch_concurrency', '1']),
    );
    assert.is((await batch()).status, 202);
  });

  test('a replay is returned even if all slots are in use', async () => {
    const body = { template: 'news', recipients: many(1) };
    const first = await post(body, bench.liveKey, 'before the rush');
    const otherBatches = Array.from({ length: 4 }, () => post({ template: 'news', recipients: many(50) }));
    const answers = await Promise.all([...otherBatches, post(body, bench.liveKey, 'before the rush')]);
    const replay = answers.at(-1);
    assert.equal([replay?.status, replay?.body, replay?.headers['Idempotent-Replay']], [202, first.body, 'true']);
    const changedBody = { ...body, recipients: many(2) };
    const rush = Array.from({ length: 4 }, () => post({ template: 'news', recipients: many(50) }));
    const mismatch = (await Promise.all([...rush, post(changedBody, bench.liveKey, 'before the rush')])).at(-1);
    assert.is(mismatch?.body.error.code, 'idempotency_key_mismatch');
  });

  test('sandbox batches are simulated and free', async () => {
    const before = await used();
    const { body } = await post({ template: 'news', recipients: many(2) }, bench.testKey);
    await bench.drain();
    assert.equal(await bench.received(), []);
    assert.is((await bench.readSend(body.data[0].id)).status, 'delivered');
    assert.is((await used()) - before, 0);
  });

  test('a thousand recipients are accepted in one call, over HTTP and in process', async () => {
    const before = await used();
    const { data } = await bench.service
      .as(bench.workspaceId)
      .email.batch({ template: 'news', recipients: many(1_000) });
    assert.is(data.length, 1_000);
    assert.ok(data.every((item) => 'status' in item && item.status === 'sent'));
    assert.is((await used()) - before, 1_000);
  });

  test('a login code is answered before a batch of a thousand costly subjects, even if it was sent during the batch', async () => {
    await bench.publish('costly', { subject: 'Hello {{name}} {% for i in (1..300) %}{{ i }}{% endfor %}' });
    await bench.publish('code', { delivery: 'at-most-once', category: 'system' });
    const answerOrder: string[] = [];
    const note = (label: string) => (response: { readonly status: number }) => {
      assert.is(response.status, 202);
      answerOrder.push(label);
    };
    const batch = post({ template: 'costly', recipients: many(1_000) }).then(note('batch'));
    // Here the batch has begun and has been validated.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await bench.send('code', { to: 'ada@example.com', variables: { name: 'Ada' } }).then(note('code'));
    await batch;
    assert.equal(answerOrder, ['code', 'batch']);
  });
});
