// The audit log: one entry for each successful change with its actor and its subject, the filters and pages, and how long entries are
// kept.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const day = 86_400_000;

interface Entry {
  readonly id: string;
  readonly ts: string;
  readonly action: string;
  readonly actor: Readonly<Record<string, string>>;
  readonly target: { readonly kind: string; readonly id: string };
  readonly metadata: object;
  readonly request_id: string;
  readonly idempotency_key?: string;
}

await twoDatabases('the audit log', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const list = async (query = ''): Promise<{ data: Entry[]; next_cursor: string | null }> => {
    const { status, body } = await bench.request(`/v1/audit?${query}`);
    assert.is(status, 200, JSON.stringify(body));
    return body;
  };
  const last = async (): Promise<Entry> => (await list('limit=1')).data[0] as Entry;
  const suppress = (email: string, headers: Readonly<Record<string, string>> = {}) => {
    calls += 1;
    return bench.request('/v1/suppressions', {
      body: { email },
      headers: { 'idempotency-key': `audit-${calls}`, ...headers },
    });
  };

  test('an entry of a REST call has exactly the listed fields', async () => {
    const headers = {
      'idempotency-key': 'Shown-1',
      'user-agent': 'shop/1.0',
      'x-request-id': 'req_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
    };
    await suppress('ada@example.org', headers);
    const keyId = (await bench.request('/v1/keys?limit=100')).body.data.find(({ prefix }: { prefix: string }) =>
      bench.liveKey.startsWith(prefix),
    ).id;
    const { id, ...entry } = await last();
    assert.match(id, /^aud_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(entry, {
      ts: new Date(bench.now()).toISOString(),
      actor: { kind: 'api', key_id: keyId, ip: '127.0.0.1', client: 'shop/1.0' },
      action: 'suppression.create',
      target: { kind: 'domain', id: 'example.org' },
      request_id: 'req_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
      metadata: { reason: 'manual' },
      idempotency_key: 'Shown-1',
    });
  });

  test('an entry of a tool call names the person who installed the key', async () => {
    const key = await bench.keyWith(['suppressions:write'], { mode: 'mcp', createdBy: 'ada' });
    await bench.tool('create_suppression', { email: 'b@example.org' }, key);
    const { actor } = await last();
    assert.equal([actor.kind, actor.user, actor.ip], ['mcp', 'ada', '127.0.0.1']);
  });

  test('an entry of a call in process names the caller that the program gives', async () => {
    await bench.service
      .as(bench.workspaceId, { actor: 'nightly import' })
      .suppressions.create({ email: 'c@example.org' });
    assert.equal((await last()).actor, { kind: 'service', client: 'nightly import' });
    await bench.service.as(bench.workspaceId).suppressions.create({ email: 'd@example.org' });
    assert.equal((await last()).actor, { kind: 'service' });
  });

  test('an idempotency key that is only recorded is in the entry, but replays no answer', async () => {
    const headers = { 'idempotency-key': 'recorded' };
    const first = await bench.request('/v1/templates', { body: { name: 'twice' }, headers });
    const second = await bench.request('/v1/templates', { body: { name: 'twice' }, headers });
    assert.equal([first.status, second.status, second.headers['Idempotent-Replay']], [201, 201, undefined]);
    assert.is.not(first.body.data.id, second.body.data.id);
    assert.is((await last()).idempotency_key, 'recorded');
  });

  test('reads, refusals, dry runs and replays write no entry', async () => {
    await suppress('replayed@example.org', { 'idempotency-key': 'replayed' });
    const before = await list('limit=100');
    await bench.request('/v1/workspace');
    await suppress('nobody');
    await suppress('dry@example.org', { 'dry-run': 'true' });
    await suppress('replayed@example.org', { 'idempotency-key': 'replayed' });
    await bench.request('/v1/templates/missing', { method: 'PATCH', body: {} });
    await suppress('e@example.org', { authorization: 'Bearer nonsense' });
    assert.equal(await list('limit=100'), before);
  });

  test('the log can be filtered by an exact action or by a family of actions, and no other character is a wildcard', async () => {
    for (const key of ['one', 'two']) {
      await bench.request('/v1/templates', { body: { key, mode: 'html', subject: 'x', body: '<p>x</p>' } });
      await bench.request(`/v1/templates/${key}/publish`, { body: {} });
    }
    const actions = async (action: string) => [
      ...new Set((await list(`limit=100&action=${encodeURIComponent(action)}`)).data.map((entry) => entry.action)),
    ];
    assert.equal(await actions('template.publish'), ['template.publish']);
    assert.equal((await actions('template.*')).sort(), ['template.create', 'template.publish']);
    for (const action of [
      'template',
      'template.',
      'templat.*',
      '*',
      '.*',
      'template.%',
      '%',
      'template_*',
      'TEMPLATE.*',
    ]) {
      assert.equal(await actions(action), [], action);
    }
  });

  test('the log can be filtered by actor: a kind, or the id of a key', async () => {
    const { id, secret: key } = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'x',
      preset: 'full',
    });
    await bench.request('/v1/templates', { body: { key: 'by-key' }, key });
    const entries = await list(`actor=${id}`);
    assert.equal(
      entries.data.map(({ action }) => action),
      ['template.create'],
    );
    for (const kind of ['api', 'mcp', 'service']) {
      const { data } = await list(`actor=${kind}&limit=100`);
      assert.ok(data.length > 0);
      assert.ok(data.every(({ actor }) => actor.kind === kind));
    }
    assert.equal((await list('actor=dashboard')).data, []);
    assert.equal((await list('actor=key_missing')).data, []);
    assert.is((await bench.request('/v1/audit?actor=')).status, 422);
  });

  test('the log can be filtered by time (since is inclusive, until exclusive), and its pages are newest first', async () => {
    const start = bench.now() + 1_000;
    for (let index = 0; index < 6; index += 1) {
      bench.advanceClock(index % 2 === 0 ? 1_000 : 0);
      await suppress(`page-${index}@example.org`);
    }
    const iso = (at: number) => new Date(at).toISOString();
    const since = (await list(`since=${iso(start + 1_000)}`)).data;
    assert.is(since.length, 4);
    assert.is((await list(`since=${iso(start)}&until=${iso(start + 1_000)}`)).data.length, 2);
    const all = (await list(`since=${iso(start)}&limit=100`)).data;
    assert.equal(
      all.map(({ id }) => id),
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `since=${iso(start)}&limit=1${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.equal(
      seen,
      all.map(({ id }) => id),
    );
    assert.is((await bench.request('/v1/audit?since=yesterday')).status, 422);
  });

  test('the log of a workspace contains no entry of another workspace', async () => {
    await bench.service
      .as(bench.foreignWorkspaceId, { actor: 'foreigner' })
      .suppressions.create({ email: 'f@example.org' });
    const { data } = await list('limit=100');
    assert.is(
      data.some(({ actor }) => actor.client === 'foreigner'),
      false,
    );
  });

  test('entries are kept for 90 days', async () => {
    await suppress('old@example.org');
    const { id } = await last();
    await bench.service.jobs.runSchedules();
    const has = async () => {
      const db = await bench.service.core.database();
      const rows = await db.read(bench.workspaceId, (handle) =>
        handle.db
          .selectFrom('audit')
          .select('id')
          .where('workspace_id', '=', bench.workspaceId)
          .where('id', '=', id)
          .execute(),
      );
      return rows.length === 1;
    };
    bench.advanceClock(90 * day - 1_000);
    await bench.service.jobs.runSchedules();
    assert.is(await has(), true);
    bench.advanceClock(2 * day);
    await bench.service.jobs.runSchedules();
    assert.is(await has(), false);
  });

  test('a sandbox key sees only the entries of the sandbox; a live key sees both sides and can tell them apart', async () => {
    const contact = { email: 'sides@example.com' };
    const emit = (key: string, secret: string) =>
      bench.request('/v1/events', { key, body: { type: 'order.placed', contact, metadata: { secret } } });
    await emit(bench.liveKey, 'of the live side');
    await emit(bench.testKey, 'of the sandbox');
    const listedWith = async (key: string) => {
      const { data } = (await bench.request('/v1/audit?action=event.emit&limit=100', { key })).body as {
        data: { sandbox: boolean; metadata: Record<string, unknown> }[];
      };
      return data.map(({ sandbox, metadata }) => [metadata['metadata.secret'], sandbox]);
    };
    const [ofLive, ofSandbox] = [
      ['of the live side', undefined],
      ['of the sandbox', true],
    ];
    assert.equal(await listedWith(bench.liveKey), [ofSandbox, ofLive]);
    assert.equal(await listedWith(bench.testKey), [ofSandbox]);
    const [newest] = (await bench.request('/v1/audit?action=event.emit&limit=1', { key: bench.liveKey })).body.data;
    assert.is((newest as { sandbox: boolean }).sandbox, true);
  });
});
