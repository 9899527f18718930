// Decisions about broadcasts: a policy holds a schedule, and a resume with a higher ceiling. An approval that was requested beforehand
// lets one call pass.
import * as assert from 'uvu/assert';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('decisions about broadcasts', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    const members = ['ada', 'bea'].map((name) => ({
      uid: `u_${name}`,
      name,
      email: `${name}@example.com`,
      role: 'member',
    }));
    bench = await openBroadcastBench(database, { members: { list: async () => members } });
    await bench.calls().approvals.policySet({ surfaceKind: 'broadcast', required: true });
  });
  test.after.each(() => bench.close());

  const as = (member: string) => bench.service.as(bench.workspaceId, { actor: 'console', member: `u_${member}` });
  const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.org`);
  const draftFor = async (count: number) =>
    bench.draft({ audience: { include: [{ listId: await bench.list(people(count)) }] } });

  /** The other member approves the pending request. */
  async function approve(): Promise<void> {
    const [pending] = (await as('bea').approvals.pending({})).data;
    assert.is(pending?.surfaceKind, 'broadcast');
    const { requestId, contentHash } = await as('bea').approvals.read({ requestId: pending?.requestId ?? '' });
    await as('bea').approvals.decide({ requestId, decision: 'approve', contentHash });
    await bench.settle();
  }

  test('a policy holds a schedule until a member approves it', async () => {
    const broadcastId = await draftFor(2);
    const before = await bench.calls().broadcasts.read({ broadcastId });
    const heldAnswer = await as('ada').broadcasts.schedule({ broadcastId });
    assert.equal([heldAnswer.status, heldAnswer.approval?.status], ['draft', 'pending']);
    // The draft now has a ceiling.
    assert.equal([heldAnswer.ceiling, heldAnswer.version], [3, before.version + 1]);
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).version, heldAnswer.version);
    await bench.settle();
    assert.equal(await bench.recipients(), []);
    await approve();
    const sent = await bench.calls().broadcasts.read({ broadcastId });
    assert.equal([sent.status, sent.ceiling, sent.approval], ['sent', 3, null]);
    assert.equal(await bench.recipients(), people(2));
  });

  test('an approval that was requested beforehand lets one schedule pass', async () => {
    const broadcastId = await draftFor(2);
    await as('ada').approvals.submit({ surfaceKind: 'broadcast', targetId: broadcastId });
    await approve();
    assert.is((await as('ada').broadcasts.schedule({ broadcastId })).status, 'scheduled');
    await bench.settle();
    assert.equal(await bench.recipients(), people(2));
  });

  test('a schedule is held again if the audience is larger than the approved audience', async () => {
    const broadcastId = await draftFor(2);
    await as('ada').approvals.submit({ surfaceKind: 'broadcast', targetId: broadcastId });
    await approve();
    const { audience } = await bench.calls().broadcasts.read({ broadcastId });
    const [part] = audience?.include ?? [];
    const listId = part !== undefined && 'listId' in part ? part.listId : '';
    const { id } = await bench.calls().contacts.upsert({ email: 'new@example.org' });
    await bench.calls().lists.membersAdd({ listId, contactIds: [id] });
    const heldAnswer = await as('ada').broadcasts.schedule({ broadcastId });
    assert.equal([heldAnswer.status, heldAnswer.approval?.status], ['draft', 'pending']);
  });

  test('a resume with a higher ceiling waits for approval, and a new version of the frozen template does not withdraw the request', async () => {
    const listId = await bench.list(people(2));
    const sendAt = new Date(bench.now() + 3_600_000).toISOString();
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, sendAt });
    await bench.calls().broadcasts.schedule({ broadcastId });
    const contactIds: string[] = [];
    for (const email of ['a@example.com', 'b@example.com'])
      contactIds.push((await bench.calls().contacts.upsert({ email })).id);
    await bench.calls().lists.membersAdd({ listId, contactIds });
    bench.advanceClock(3_600_000);
    await bench.settle();
    const heldAnswer = await as('ada').broadcasts.resume({ broadcastId, ceiling: 4 });
    assert.equal([heldAnswer.status, heldAnswer.ceiling, heldAnswer.approval?.status], ['paused', 3, 'pending']);
    await bench.calls().templates.update({ key: 'news', subject: 'Changed {{name}}' });
    await bench.calls().templates.publish({ key: 'news' });
    await approve();
    const sent = await bench.calls().broadcasts.read({ broadcastId });
    assert.equal([sent.status, sent.ceiling, sent.counts.accepted], ['sent', 4, 4]);
    const subjects = (await bench.received()).map(({ subject }) => subject);
    assert.equal(new Set(subjects), new Set(['Hello reader']));
  });
});
