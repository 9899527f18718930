// Lists and reads of sends: filters, times, pages, and the retention of the data.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const day = 86_400_000;

await eachDatabase('reads of sends', (test, database) => {
  let bench: MailBench;
  let ids: string[] = [];
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
    await bench.publish('welcome');
    const secondKey = await bench.keyWith(['templates:send'], { mode: 'test' });
    ids = [];
    for (let index = 0; index < 12; index += 1) {
      const { body } = await bench.send(
        index % 3 === 0 ? 'welcome' : 'receipt',
        {
          to: `reader-${index % 4}@example.org`,
          variables,
          simulationScenario: index % 2 === 0 ? 'opened' : 'delivered',
        },
        { key: index % 2 === 0 ? secondKey : bench.testKey },
      );
      ids.push(body.id);
      if (index % 2 === 1) bench.advanceClock(60_000);
    }
    await bench.drain();
  });
  test.after(() => bench.close());

  const list = async (query: string) => {
    const { status, body } = await bench.request(`/v1/sends?${query}`, { key: bench.testKey });
    assert.is(status, 200, JSON.stringify(body));
    return body as { data: { id: string; status: string; createdAt: string }[]; next_cursor: string | null };
  };
  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  const newestFirst = (isIncluded: (index: number) => boolean) =>
    ids.filter((_, index) => isIncluded(index)).toReversed();

  test('the list is newest first, with the same timelines as reads', async () => {
    const page = await list('limit=100');
    assert.equal(
      idsOf(page),
      newestFirst(() => true),
    );
    assert.is(page.next_cursor, null);
    for (const send of page.data) assert.equal(send, await bench.readSend(send.id));
  });

  test('pages have no gaps and no repetitions, whatever their size, even if all sends are from the same millisecond', async () => {
    for (const limit of [1, 5, 11, 12, 13]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(
          `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
        );
        assert.ok(page.data.length <= limit);
        seen.push(...idsOf(page));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assert.equal(
        seen,
        newestFirst(() => true),
        `limit ${limit}`,
      );
    }
  });

  test('each filter narrows the list by itself, on every page', async () => {
    const keyId = (await bench.readSend(ids[0] as string)).apiKeyId;
    assert.equal(
      idsOf(await list('templateKey=welcome')),
      newestFirst((index) => index % 3 === 0),
    );
    assert.equal(
      idsOf(await list('status=delivered')),
      newestFirst((index) => index % 2 === 1),
    );
    assert.equal(
      idsOf(await list('status=sent')),
      newestFirst((index) => index % 2 === 0),
    );
    assert.equal(
      idsOf(await list('to=READER-1@example.org')),
      newestFirst((index) => index % 4 === 1),
    );
    assert.equal(
      idsOf(await list(`apiKeyId=${keyId}`)),
      newestFirst((index) => index % 2 === 0),
    );
    assert.equal(idsOf(await list('templateKey=nothing')), []);
    const first = await list('status=delivered&limit=4');
    const secondPage = await list(`status=delivered&limit=4&cursor=${first.next_cursor}`);
    assert.equal(
      [...idsOf(first), ...idsOf(secondPage)],
      newestFirst((index) => index % 2 === 1),
    );
  });

  test('since is inclusive, until is exclusive', async () => {
    const at = (await bench.readSend(ids[4] as string)).createdAt;
    assert.equal(
      idsOf(await list(`since=${at}`)),
      newestFirst((index) => index >= 4),
    );
    assert.equal(
      idsOf(await list(`until=${at}`)),
      newestFirst((index) => index < 4),
    );
    assert.equal(idsOf(await list(`since=${at}&until=${at}`)), []);
    const offset = at.replace('Z', '%2B00:00');
    assert.equal(
      idsOf(await list(`since=${offset}&status=sent`)),
      newestFirst((index) => index >= 4 && index % 2 === 0),
    );
  });

  test('more than one filter is a conflict, and the error names the filters', async () => {
    const { status, body } = await bench.request('/v1/sends?status=sent&templateKey=receipt');
    assert.is(status, 400);
    assert.is(body.error.code, 'filter_conflict');
    assert.match(body.error.message, 'templateKey');
    assert.match(body.error.message, 'status');
  });

  test('the sends to one address can be listed by their status', async () => {
    const to = 'reader-1@example.org';
    const listed = async (status: string) => (await list(`to=${to}&status=${status}`)).data;
    const delivered = await listed('delivered');
    assert.ok(delivered.length > 0 && delivered.every((send) => send.status === 'delivered'));
    assert.is(delivered.length, (await list(`to=${to}`)).data.filter(({ status }) => status === 'delivered').length);
    assert.equal(await listed('complained'), []);
  });

  test('a limit is 1 to 100, and unknown or malformed parameters are refused', async () => {
    const queries = { limit: ['0', '101', '-1', '1.5', 'x', '', '1&limit=2'], status: ['lost'], since: ['today'] };
    for (const [name, values] of Object.entries(queries)) {
      for (const value of values) {
        const { status, body } = await bench.request(`/v1/sends?${name}=${value}`);
        assert.equal([status, body.error?.details?.[0].path], [422, name], `${name}=${value}`);
      }
    }
    for (const name of ['surprise', '__proto__', 'constructor', 'Limit']) {
      const { status, body } = await bench.request(`/v1/sends?${name}=1`);
      assert.equal([status, body.error?.details?.[0].path], [422, name]);
    }
  });

  test('an invalid cursor is refused, and so is a cursor of another list', async () => {
    const foreign = (await bench.request('/v1/templates?limit=1')).body.next_cursor;
    assert.type(foreign, 'string');
    const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const cursors = [
      ...[
        foreign,
        'x',
        'e30',
        forged({}),
        forged(['sends.list', 'now', 'snd_1']),
        forged(['sends.list', 1]),
        forged(['sends.list', 1.5, 'a']),
      ],
      ...[
        forged(['sends.list', 1, 7]),
        forged(['sends.list', 1, 'a\u0000']),
        forged(['sends.list', 1, 'x'.repeat(350)]),
      ],
    ];
    for (const cursor of cursors) {
      const { status, body } = await bench.request(`/v1/sends?cursor=${cursor}`);
      assert.equal([status, body.error.code], [400, 'cursor_invalid'], cursor);
    }
  });

  test('each key lists the sends of its own side', async () => {
    const live = await bench.send('receipt', { to: 'live@example.org', variables });
    const path = '/v1/templates/receipt/send-test';
    const sandboxSend = await bench.request(path, { body: { variables }, headers: { 'idempotency-key': 'tried' } });
    assert.equal(idsOf((await bench.request('/v1/sends')).body), [live.body.id]);
    const sandbox = idsOf(await list('limit=100'));
    assert.equal([sandbox.includes(live.body.id), sandbox.includes(sandboxSend.body.id)], [false, true]);
    assert.is(sandbox.length, ids.length + 1);
  });

  test("another workspace's send gets the same answer as an unknown send", async () => {
    const foreignCalls = bench.service.as(bench.foreignWorkspaceId);
    await foreignCalls.templates.create({ key: 'receipt', mode: 'html', subject: 'Hi', body: '<p>{{name}}</p>' });
    await foreignCalls.templates.publish({ key: 'receipt' });
    const { id } = await foreignCalls.email.send({ template: 'receipt', to: 'x@example.org', variables });
    const answers = await Promise.all(
      [id, `${id.slice(0, -1)}!`, 'snd_x'].map((one) => bench.request(`/v1/sends/${one}`)),
    );
    for (const { status, body } of answers) assert.equal([status, body.error.code], [404, 'send_not_found']);
    assert.is(idsOf(await list('limit=100')).includes(id), false);
    assert.equal(idsOf(await list('to=x@example.org')), []);
  });

  test('the content of a send is erased 7 days after its end, and the send is erased after 400 days', async () => {
    const suppression = { body: { email: 'gone@example.org' }, headers: { 'idempotency-key': 'gone' } };
    await bench.request('/v1/suppressions', suppression);
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data_base64: 'aGk=' }];
    await bench.send('receipt', { to: 'gone@example.org', variables, attachments });
    await bench.send('receipt', { to: 'reader-1@example.org', variables, attachments });
    const send_at = new Date(bench.now() + 20 * day).toISOString();
    const lateSend = await bench.send('receipt', { to: 'late@example.org', variables, attachments, send_at });
    await bench.drain();
    const rowsOf = async (table: 'send_contents' | 'send_attachments' | 'sends' | 'send_events') => {
      const db = await bench.service.core.database();
      const rows = await db.read(bench.workspaceId, (handle) =>
        handle.db.selectFrom(table).selectAll().where('workspace_id', '=', bench.workspaceId).execute(),
      );
      return rows.length;
    };
    await bench.service.jobs.runSchedules();
    assert.equal([await rowsOf('send_contents'), await rowsOf('send_attachments')], [17, 3]);
    bench.advanceClock(7 * day - 3_600_000);
    await bench.service.jobs.runSchedules();
    assert.equal(
      [await rowsOf('send_contents'), await rowsOf('send_attachments')],
      [17, 3],
      'the content was erased too early',
    );
    bench.advanceClock(2 * 3_600_000);
    await bench.service.jobs.runSchedules();
    assert.equal([await rowsOf('send_contents'), await rowsOf('send_attachments')], [1, 1], 'the scheduled send stays');
    bench.advanceClock(20 * day);
    await bench.drain();
    assert.is((await bench.readSend(lateSend.body.id)).status, 'sent');
    assert.is(await rowsOf('sends'), 17);
    bench.advanceClock(401 * day);
    await bench.service.jobs.runSchedules();
    assert.equal([await rowsOf('sends'), await rowsOf('send_events'), await rowsOf('send_contents')], [0, 0, 0]);
  });
});
