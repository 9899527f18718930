// Listing contacts by a filter or a segment, on both sides and page by page, and the scopes for it.
import * as assert from 'uvu/assert';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const openBench = (database: TestDatabase) => migratedTestService(database, { plugins: bareStandardPlugins });

await eachDatabase('contacts by a filter', (test, database) => {
  let bench: Awaited<ReturnType<typeof openBench>>;
  test.before.each(async () => {
    bench = await openBench(database);
    for (let index = 0; index < 7; index += 1) {
      bench.advanceClock(1);
      await calls().contacts.upsert({
        email: `p${index}@example.org`,
        external_id: `u${index}`,
        attributes: { plan: index % 2 === 0 ? 'pro' : 'frei', name: 'Ünal 東' },
      });
    }
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const plan = (value: string) => ({ path: 'contact.attributes.plan', op: 'eq', value }) as const;
  const pro = JSON.stringify(plan('pro'));
  const emailsOf = async (query: object): Promise<string[]> => {
    const emails: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await calls().contacts.list({ limit: 2, ...query, ...(cursor === undefined ? {} : { cursor }) });
      emails.push(...page.data.map(({ email }) => String(email).slice(0, 2)));
      cursor = page.next_cursor;
    }
    return emails;
  };
  const refusal = async (query: string, key = bench.liveKey) => {
    const { status, body } = await bench.request(`/v1/contacts?${query}`, { key });
    return [status, body.error.code, ...(body.error.details ?? []).map((one: { path: string }) => one.path)];
  };

  test('the list shows the contacts for which the filter is true, newest first, page by page', async () => {
    assert.equal(await emailsOf({ filter: pro }), ['p6', 'p4', 'p2', 'p0']);
    const filters = { all: [plan('frei'), { path: 'contact.attributes.name', op: 'contains', value: '東' }] };
    assert.equal(await emailsOf({ filter: JSON.stringify(filters) }), ['p5', 'p3', 'p1']);
    assert.equal(await emailsOf({ filter: '{}' }), ['p6', 'p5', 'p4', 'p3', 'p2', 'p1', 'p0']);
  });

  test('a filter can be combined with a segment, an address and an external id', async () => {
    const { segmentId } = await calls().segments.create({ name: 'Pro', filter: plan('pro') });
    assert.equal(await emailsOf({ segmentId }), ['p6', 'p4', 'p2', 'p0']);
    assert.equal(await emailsOf({ segmentId, email: 'P4@example.org' }), ['p4']);
    assert.equal(await emailsOf({ filter: pro, external_id: 'u2' }), ['p2']);
    assert.equal(await emailsOf({ filter: pro, external_id: 'u1' }), []);
  });

  test('the list accepts every segment, even a segment that refers to others at the maximum depth', async () => {
    let filter: Parameters<ReturnType<typeof calls>['segments']['create']>[0]['filter'] = plan('pro');
    let last = '';
    for (const name of ['Base', 'First', 'Second', 'Third']) {
      const { segmentId } = await calls().segments.create({ name, filter });
      filter = { segment: segmentId };
      last = segmentId;
    }
    assert.equal(await emailsOf({ segmentId: last }), ['p6', 'p4', 'p2', 'p0']);
  });

  test('the list refuses a filter of a thousand levels and an unpaired surrogate, like a request body', async () => {
    const deep = `${'{"not":'.repeat(1_000)}{}${'}'.repeat(1_000)}`;
    assert.equal(await refusal(`filter=${encodeURIComponent(deep)}`), [422, 'validation_failed', 'filter']);
    const invalidFilter = '{"path":"contact.email","op":"eq","value":"\\ud800"}';
    assert.equal(await refusal(`filter=${encodeURIComponent(invalidFilter)}`), [422, 'validation_failed', 'filter']);
  });

  test('the list shows only the side of the caller', async () => {
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    await sandbox.contacts.upsert({ email: 's@example.org', attributes: { plan: 'pro' } });
    const { data } = await sandbox.contacts.list({ filter: pro });
    assert.equal(
      data.map(({ email }) => email),
      ['s@example.org'],
    );
    assert.equal(await emailsOf({ filter: pro }), ['p6', 'p4', 'p2', 'p0']);
  });

  test('the list refuses an invalid filter, an unknown segment, and a search together with a filter', async () => {
    assert.equal(await refusal('filter=%7B'), [422, 'validation_failed', 'filter']);
    assert.equal(await refusal('filter=%7B%22path%22%3A%22x%22%7D'), [422, 'validation_failed', 'filter']);
    const unknown = 'sgm_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    assert.equal(await refusal(`segmentId=${unknown}`), [422, 'validation_failed', 'segmentId']);
    const nested = encodeURIComponent(JSON.stringify({ not: { segment: unknown } }));
    assert.equal(await refusal(`filter=${nested}`), [422, 'validation_failed', 'filter']);
    assert.equal(await refusal(`filter=${encodeURIComponent(pro)}&search=p`), [422, 'validation_failed', 'search']);
  });

  test('filters by list or segment need the scope lists:read', async () => {
    const key = await bench.keyWith(['contacts:read']);
    const { segmentId } = await calls().segments.create({ name: 'Pro', filter: plan('pro') });
    const { listId } = await calls().lists.create({ name: 'News' });
    const inList = encodeURIComponent(JSON.stringify({ path: `list.${listId}`, op: 'exists', value: true }));
    assert.equal(await refusal(`segmentId=${segmentId}`, key), [403, 'insufficient_scope']);
    assert.equal(await refusal(`filter=${inList}`, key), [403, 'insufficient_scope']);
    const { status } = await bench.request(`/v1/contacts?filter=${encodeURIComponent(pro)}`, { key });
    assert.is(status, 200);
  });
});
