// Watched segments: which segments are watched, which changes cause events, sequences that a segment starts, and the end of watching.
// full-run: slow
import * as assert from 'uvu/assert';
import { setInterests } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { watchRows } from '../../plugins/segments/tables.ts';
import { compareAll } from '../../plugins/segments/watching/update-watches.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const isPro = { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } as const;
const minutes = 60_000;
const everywhere = unscoped('the test looks at the tables');

await twoDatabases('watched segments', (test, database) => {
  let bench: SequenceBench;
  let reports: string[];
  test.before.each(async () => {
    bench = await openSequenceBench(database);
    reports = [];
    // Test services subscribe to every event, so every segment would be watched.
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(bench.service.core, workspace, async ({ trx }) => {
      for (const sandbox of [false, true])
        await setInterests(trx.onSide(sandbox), { consumer: 'testing', subscriberId: 'testing' }, []);
    });
  });
  test.after.each(() => bench.close());

  const listen = () => {
    for (const type of ['segment.entered', 'segment.left'] as const)
      bench.service.on(type, ({ data: { segment, contact }, synthetic }) => {
        reports.push(
          `${contact.external_id} ${type.slice(8)} ${segment.name}${synthetic === true ? ' in the sandbox' : ''}`,
        );
      });
  };
  const contact = async (external_id: string, plan: string) =>
    (await bench.calls.contacts.upsert({ external_id, email: `${external_id}@example.org`, attributes: { plan } })).id;
  const segment = async (filter: object = isPro, name = 'Pro') =>
    (await bench.calls.segments.create({ name, filter: filter as typeof isPro })).segmentId;
  /** Runs the next comparison with all its effects, and returns the reports. */
  const compare = async () => {
    bench.advanceClock(5 * minutes);
    await bench.drain();
    const all = reports.sort();
    reports = [];
    return all;
  };
  const isWatched = async (segmentId: string) => (await bench.calls.segments.read({ segmentId })).watched;
  const countStored = async (table: 'segment_members' | 'segment_watches') => {
    const open = await bench.service.core.database();
    return (await open.read(everywhere, ({ db }) => db.selectFrom(table).selectAll().execute())).length;
  };
  const greeting = (segmentId: string, more: object = {}) => ({
    name: 'Greeting',
    trigger: { kind: 'segment_entered', segmentId, ...more } as const,
    nodes: [{ id: 'mark', kind: 'update_contact', attributes: { seen: '{{ event.data.segment.name }}' } } as const],
  });
  const runsOf = async (keyOrId: string) =>
    (await bench.calls.sequences.runs({ keyOrId })).data.map(({ contact: of }) => of?.external_id).sort();

  test('a change causes one event, and contacts that were in the segment from the start cause no event', async () => {
    listen();
    await contact('ada', 'pro');
    await contact('bob', 'free');
    await segment();
    assert.equal(await compare(), []);
    await contact('bob', 'pro');
    await contact('cem', 'pro');
    assert.equal(await compare(), ['bob entered Pro', 'cem entered Pro']);
    await contact('ada', 'free');
    await contact('dan', 'pro');
    await contact('dan', 'free');
    assert.equal(await compare(), ['ada left Pro']);
    assert.equal(await compare(), []);
    assert.equal(bench.faults, []);
  });

  test('contacts leave a segment as time passes, without any other change', async () => {
    listen();
    await contact('ada', 'pro');
    await segment({ did: 'order.placed', since: 'P1D' }, 'Buyers');
    await bench.calls.events.emit({ type: 'order.placed', contact: { external_id: 'ada' } });
    assert.equal(await compare(), ['ada entered Buyers']);
    bench.advanceClock(1_440 * minutes);
    assert.equal(await compare(), ['ada left Buyers']);
  });

  test('a webhook that subscribes to changes makes every segment on its side watched, until the webhook is deleted', async () => {
    const segmentId = await segment();
    await contact('ada', 'pro');
    assert.is(await isWatched(segmentId), false);
    const subscribe = (events: string[]) => bench.calls.webhooks.create({ url: 'http://127.0.0.1:3999/hook', events });
    const otherWebhook = await subscribe(['send.*']);
    assert.is(await isWatched(segmentId), false);
    const { id } = await subscribe(['segment.left']);
    assert.is(await isWatched(segmentId), true);
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    assert.is((await sandbox.segments.read({ segmentId })).watched, false);
    assert.equal([await countStored('segment_watches'), await countStored('segment_members')], [1, 1]);
    await bench.calls.webhooks.delete({ id });
    assert.is(await isWatched(segmentId), false);
    await bench.drain();
    assert.equal([await countStored('segment_watches'), await countStored('segment_members')], [0, 0]);
    await bench.calls.webhooks.update({ id: otherWebhook.id, events: ['segment.*'] });
    assert.is(await isWatched(segmentId), true);
    const laterSegment = await segment({}, 'Everybody');
    assert.is(await isWatched(laterSegment), true);
  });

  test('only segments that a published sequence names are watched, on both sides', async () => {
    const segmentId = await segment();
    const otherSegment = await segment({}, 'Everybody');
    const { key } = await bench.calls.sequences.create(greeting(segmentId));
    assert.is(await isWatched(segmentId), false);
    await bench.calls.sequences.publish({ keyOrId: key });
    assert.equal([await isWatched(segmentId), await isWatched(otherSegment)], [true, false]);
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    assert.is((await sandbox.segments.read({ segmentId })).watched, true);
    await contact('ada', 'pro');
    await sandbox.contacts.upsert({ external_id: 'sam', attributes: { plan: 'pro' } });
    await compare();
    assert.equal(await runsOf(key), ['ada']);
    assert.equal((await bench.calls.contacts.list({ external_id: 'ada' })).data[0]?.attributes['seen'], 'Pro');
    assert.is((await sandbox.sequences.runs({ keyOrId: key })).data.length, 1);
    await bench.calls.sequences.archive({ keyOrId: key });
    assert.is(await isWatched(segmentId), false);
  });

  test('leaving a segment starts a run, too, and a paused sequence ignores changes', async () => {
    const segmentId = await segment();
    const leaving = { ...greeting(segmentId), trigger: { kind: 'segment_left', segmentId } as const };
    const keyOrId = await bench.published(leaving);
    await contact('ada', 'pro');
    await contact('bob', 'pro');
    await compare();
    assert.equal(await runsOf(keyOrId), []);
    await contact('ada', 'free');
    await compare();
    assert.equal(await runsOf(keyOrId), ['ada']);
    await bench.calls.sequences.pause({ keyOrId });
    await contact('bob', 'free');
    await compare();
    await bench.calls.sequences.resume({ keyOrId });
    await compare();
    assert.equal(await runsOf(keyOrId), ['ada']);
  });

  test('includeCurrent enrols the current members once, and later the members that a changed filter adds', async () => {
    const segmentId = await segment();
    for (const name of ['ada', 'bob']) await contact(name, 'pro');
    await contact('cem', 'team');
    const keyOrId = await bench.published(greeting(segmentId, { includeCurrent: true }));
    await bench.drain();
    assert.equal(await runsOf(keyOrId), ['ada', 'bob']);
    await bench.calls.sequences.publish({ keyOrId });
    await compare();
    assert.equal(await runsOf(keyOrId), ['ada', 'bob']);
    const filter = { any: [isPro, { ...isPro, value: 'team' }] };
    await bench.calls.segments.update({ segmentId, filter });
    await bench.drain();
    await compare();
    assert.equal(await runsOf(keyOrId), ['ada', 'bob', 'cem']);
  });

  test('includeCurrent waits for contacts that a job stores, and skips contacts that an event has enrolled', async () => {
    const segmentId = await segment();
    for (let index = 0; index < 60; index += 1) await contact(`p${String(index).padStart(2, '0')}`, 'pro');
    const keyOrId = await bench.published(greeting(segmentId, { includeCurrent: true }));
    await contact('zoe', 'pro');
    await compare();
    await compare();
    assert.is((await bench.calls.sequences.runs({ keyOrId, limit: 100 })).data.length, 61);
  });

  test('a changed filter emits no event, even if another segment refers to the changed segment', async () => {
    listen();
    await contact('ada', 'pro');
    await contact('bob', 'free');
    const lower = await segment();
    await segment({ not: { segment: lower } }, 'Others');
    assert.equal(await compare(), []);
    await bench.calls.segments.update({ segmentId: lower, filter: { ...isPro, value: 'free' } });
    assert.equal(await compare(), []);
    await contact('ada', 'free');
    assert.equal(await compare(), ['ada entered Pro', 'ada left Others']);
  });

  test('erasing a contact emits no event and removes it from stored members and exports', async () => {
    listen();
    const id = await contact('ada', 'pro');
    const segmentId = await segment();
    const [exported] = [await bench.service.personalData.export(bench.workspaceId, { email: 'ada@example.org' })];
    assert.match(JSON.stringify(exported), new RegExp(`"segment_memberships":\\[\\{"segmentId":"${segmentId}"`));
    await bench.calls.contacts.delete({ contactId: id });
    await bench.drain();
    assert.is(await countStored('segment_members'), 0);
    assert.equal(await compare(), []);
  });

  test('if an address moves to another contact, the memberships that depend on it move, too', async () => {
    listen();
    await segment({ path: 'contact.email', op: 'eq', value: 'shared@example.org' }, 'Shared');
    await bench.calls.contacts.upsert({ external_id: 'ada', email: 'shared@example.org' });
    assert.equal(await compare(), ['ada entered Shared']);
    await bench.calls.contacts.upsert({ external_id: 'bob', email: 'bob@example.org' });
    await bench.calls.contacts.upsert({ external_id: 'bob', email: 'shared@example.org' });
    assert.equal(await compare(), ['ada left Shared', 'bob entered Shared']);
  });

  test('a segment that a published or paused sequence names cannot be deleted', async () => {
    const segmentId = await segment();
    const keyOrId = await bench.published(greeting(segmentId));
    const remove = () => bench.codeOf(() => bench.calls.segments.delete({ segmentId }));
    assert.is(await remove(), 'segment_in_use');
    await bench.calls.sequences.pause({ keyOrId });
    assert.is(await remove(), 'segment_in_use');
    await bench.calls.sequences.archive({ keyOrId });
    assert.is(await remove(), 'none');
  });

  test('publishing refuses an unknown segment, and includeCurrent together with contacts that leave', async () => {
    const { sequences } = bench.calls;
    const { key } = await sequences.create(greeting('sgm_01ARZ3NDEKTSV4RRFFQ69G5FAV'));
    const refusal = await bench.request(`/v1/sequences/${key}/publish`, { method: 'POST', body: {} });
    const [fault] = refusal.body.error.details;
    assert.equal([refusal.status, fault.code, fault.path], [422, 'segment_not_found', 'trigger']);
    const trigger = { kind: 'segment_left', segmentId: 'sgm_1', includeCurrent: true };
    const { status, body } = await bench.request('/v1/sequences', { method: 'POST', body: { name: 'Bad', trigger } });
    assert.equal([status, body.error.details[0].path], [422, 'trigger.includeCurrent']);
  });

  test('the picture of a sequence shows the name of its segment', async () => {
    const keyOrId = await bench.published(greeting(await segment(isPro, 'Teams on pro'), { includeCurrent: true }));
    const { graph } = await bench.calls.sequences.read({ keyOrId, graph: 'mermaid' });
    assert.match(String(graph), /When a segment is entered/);
    assert.match(String(graph), /Teams on pro/);
  });

  test('a simulation begins with a change of the segment', async () => {
    const keyOrId = await bench.published(greeting(await segment()));
    const simulation = await bench.calls.sequences.simulate({ keyOrId, contact: { attributes: { plan: 'pro' } } });
    assert.equal([simulation.status, simulation.path.map(({ outcome }) => outcome)], ['completed', ['completed']]);
    assert.equal(simulation.warnings, []);
  });

  test('a leashed key enrols at most the contacts of a segment that its leash allows', async () => {
    const segmentId = await segment();
    for (const name of ['ada', 'bob', 'cem']) await contact(name, 'pro');
    const { key } = await bench.calls.sequences.create(greeting(segmentId, { includeCurrent: true }));
    const publish = async (leash: object) => {
      const { workspaceId } = bench;
      const createdKey = await bench.service.keys.create({
        workspaceId,
        name: 'agent',
        mode: 'mcp',
        preset: 'full',
        leash,
      });
      const path = `/v1/sequences/${key}/publish`;
      return (await bench.request(path, { method: 'POST', body: {}, key: createdKey.secret })).status;
    };
    assert.is(await publish({ recipientsPerDay: 2 }), 403);
    assert.is(await publish({ recipientDomains: ['example.com'] }), 403);
    assert.is(await publish({ recipientsPerDay: 3, recipientDomains: ['example.org'] }), 200);
    await bench.drain();
    assert.equal(await runsOf(key), ['ada', 'bob', 'cem']);
  });

  test('a sequence that waits for events of segments makes every segment watched', async () => {
    const segmentId = await segment();
    const keyOrId = await bench.published({
      name: 'Waiting',
      nodes: [
        { id: 'wait', kind: 'wait_for_event', type: 'segment.entered', timeout: 'P1D' },
        { id: 'in', kind: 'exit', reason: 'entered' },
      ],
      edges: [{ from: 'wait', to: 'in', when: 'matched' }],
    });
    assert.is(await isWatched(segmentId), true);
    await contact('ada', 'free');
    const { runId } = await bench.calls.sequences.enroll({ keyOrId, contact: { external_id: 'ada' } });
    await contact('ada', 'pro');
    await compare();
    assert.is((await bench.calls.sequences.runRead({ runId })).exitReason, 'entered');
  });

  test('while a comparison of several jobs is running, no other begins; after ten minutes it counts as lost', async () => {
    listen();
    await segment();
    await bench.drain();
    const { core } = bench.service;
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(core, workspace, async ({ trx, now }) => {
      const [watch] = await watchRows.page(trx, { limit: 1 });
      assert.ok(watch);
      await watchRows.update(trx, watch.id, { continued_at: now });
    });
    await contact('ada', 'pro');
    assert.equal(await compare(), []);
    assert.equal(await compare(), ['ada entered Pro']);
    await inWorkspace(core, workspace, async ({ trx }) => {
      const [watch] = await watchRows.page(trx, { limit: 1 });
      assert.is(watch?.continued_at, null);
    });
  });

  test('a comparison can be started at once', async () => {
    listen();
    await segment();
    await bench.drain();
    await contact('ada', 'pro');
    const { core } = bench.service;
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(core, workspace, (ctx) => compareAll(ctx));
    await bench.drain();
    assert.equal(reports, ['ada entered Pro']);
  });
});
