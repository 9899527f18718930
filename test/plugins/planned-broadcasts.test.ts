// Planned emails that become broadcasts: the draft, what follows the plan until it is scheduled, and the calendar.
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;

await twoDatabases('planned emails that become broadcasts', (test, database) => {
  let bench: BroadcastBench;
  let listId: string;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
    listId = await bench.list(['ada@example.org', 'bob@example.org']);
  });
  test.after.each(() => bench.close());

  const inDays = (days: number): string => new Date(bench.now() + days * day).toISOString();
  const audience = () => ({ include: [{ listId }] });
  async function plan(fields: object = {}): Promise<string> {
    const given = { name: 'Spring news', scheduleAt: inDays(7), timezone: 'Europe/Vienna', ...fields };
    return (await bench.calls().campaigns.planned(given)).campaignId;
  }
  /** A planned email with the template `news`, and its broadcast. */
  async function planned() {
    const campaignId = await plan();
    await bench.calls().campaigns.plannedUpdate({ campaignId, templateKey: 'news' });
    const { broadcastId } = await bench.calls().campaigns.plannedBroadcast({ campaignId, audience: audience() });
    await bench.calls().broadcasts.update({ broadcastId, variables: { name: 'reader' } });
    return { campaignId, broadcastId };
  }
  /** The sentence of the error that a call throws, with its code. */
  async function refusal(call: () => Promise<unknown>): Promise<string> {
    try {
      await call();
      return 'none';
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return `${error.code}: ${error.message}`;
    }
  }

  test('the broadcast is a draft with the name, date and template of the plan, which names it', async () => {
    const { campaignId, broadcastId } = await planned();
    const broadcast = await bench.calls().broadcasts.read({ broadcastId });
    assert.equal(
      [broadcast.status, broadcast.name, broadcast.templateKey, broadcast.sendAt, broadcast.timezone],
      ['draft', 'Spring news', 'news', inDays(7), 'Europe/Vienna'],
    );
    assert.equal([broadcast.campaignId, broadcast.audience], [campaignId, { include: [{ listId }], exclude: [] }]);
    assert.is((await bench.calls().campaigns.plannedRead({ campaignId })).broadcastId, broadcastId);
    const found = await bench.calls().broadcasts.list({ campaignId });
    assert.equal(
      found.data.map((one) => one.broadcastId),
      [broadcastId],
    );
  });

  test('the mail of the plan reaches the audience at its date', async () => {
    const { broadcastId } = await planned();
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    assert.equal(await bench.recipients(), []);
    bench.advanceClock(7 * day);
    await bench.settle();
    assert.equal(await bench.recipients(), ['ada@example.org', 'bob@example.org']);
  });

  test('a plan has one broadcast, and a canceled plan gets none', async () => {
    const { campaignId, broadcastId } = await planned();
    const { campaigns } = bench.calls();
    const again = await refusal(() => campaigns.plannedBroadcast({ campaignId, audience: audience() }));
    assert.match(again, /^state_conflict: /);
    assert.match(again, broadcastId);
    const canceled = await plan();
    await campaigns.plannedCancel({ campaignId: canceled });
    const refused = await refusal(() => campaigns.plannedBroadcast({ campaignId: canceled, audience: audience() }));
    assert.match(refused, /^state_conflict: .*was canceled/);
  });

  test('of two calls at the same moment, one makes the broadcast', async () => {
    const campaignId = await plan();
    const call = () => refusal(() => bench.calls().campaigns.plannedBroadcast({ campaignId, audience: audience() }));
    const results = await Promise.all([call(), call()]);
    assert.equal(results.map((one) => one.split(':')[0]).sort(), ['none', 'state_conflict']);
    assert.is((await bench.calls().broadcasts.list({ campaignId })).data.length, 1);
  });

  test('an audience that does not exist makes no broadcast', async () => {
    const campaignId = await plan();
    const missing = { include: [{ listId: 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] };
    const code = await bench.codeOf(() => bench.calls().campaigns.plannedBroadcast({ campaignId, audience: missing }));
    assert.is(code, 'list_not_found');
    assert.is((await bench.calls().campaigns.plannedRead({ campaignId })).broadcastId, null);
  });

  test('after its draft was deleted, the plan gets another broadcast', async () => {
    const { campaignId, broadcastId } = await planned();
    await bench.calls().broadcasts.delete({ broadcastId });
    assert.is((await bench.calls().campaigns.plannedRead({ campaignId })).broadcastId, null);
    const again = await bench.calls().campaigns.plannedBroadcast({ campaignId, audience: audience() });
    assert.is.not(again.broadcastId, broadcastId);
  });

  test('a draft follows the plan, and keeps what people changed in the broadcast', async () => {
    const { campaignId, broadcastId } = await planned();
    const { broadcasts, campaigns } = bench.calls();
    await broadcasts.update({ broadcastId, name: 'Our own name' });
    await campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9), description: 'The new chairs.' });
    const moved = await broadcasts.read({ broadcastId });
    assert.equal([moved.sendAt, moved.name, moved.templateKey], [inDays(9), 'Our own name', 'news']);
    await campaigns.plannedUpdate({ campaignId, name: 'Summer news', templateKey: null, timezone: 'UTC' });
    const changed = await broadcasts.read({ broadcastId });
    assert.equal(
      [changed.name, changed.templateKey, changed.timezone, changed.sendAt],
      ['Summer news', null, 'UTC', inDays(9)],
    );
  });

  test('a new date of the plan replaces a local time of the draft, and the calendar follows a new time zone', async () => {
    const { campaignId, broadcastId } = await planned();
    const { broadcasts, campaigns, contentPlan } = bench.calls();
    const at = async () => (await contentPlan.list()).data.map((entry) => entry.at);
    const local = `${inDays(3).slice(0, 10)}T09:00:00`;
    await broadcasts.update({ broadcastId, sendAt: local, timezone: 'UTC' });
    assert.equal(await at(), [`${local}.000Z`]);
    await campaigns.plannedUpdate({ campaignId, timezone: 'Asia/Tokyo' });
    assert.equal(await at(), [`${inDays(3).slice(0, 10)}T00:00:00.000Z`]);
    await broadcasts.update({ broadcastId, timezone: 'recipient' });
    await campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) });
    const moved = await broadcasts.read({ broadcastId });
    assert.equal([moved.sendAt, moved.timezone, await at()], [inDays(9), 'Asia/Tokyo', [inDays(9)]]);
  });

  test('a change of the plan withdraws the decision that waits for the draft', async () => {
    const { campaignId, broadcastId } = await planned();
    await bench.calls().approvals.policySet({ surfaceKind: 'broadcast', required: true });
    const held = await bench.request(`/v1/broadcasts/${broadcastId}/schedule`, { body: {} });
    assert.equal([held.status, held.body.approval?.status], [202, 'pending']);
    await bench.calls().campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) });
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).approval, null);
  });

  test('once the broadcast is scheduled, only the description of the plan changes', async () => {
    const { campaignId, broadcastId } = await planned();
    const { broadcasts, campaigns } = bench.calls();
    await broadcasts.schedule({ broadcastId });
    const refused = await refusal(() => campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) }));
    assert.match(refused, /^state_conflict: .*is scheduled/);
    assert.is((await campaigns.plannedRead({ campaignId })).scheduleAt, inDays(7));
    const { description } = await campaigns.plannedUpdate({ campaignId, description: 'The new chairs.' });
    assert.is(description, 'The new chairs.');
    await broadcasts.unschedule({ broadcastId });
    await campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) });
    assert.is((await broadcasts.read({ broadcastId })).sendAt, inDays(9));
  });

  test('canceling a plan deletes its draft, and neither stops nor hides a broadcast that is scheduled or sent', async () => {
    const { campaigns, broadcasts } = bench.calls();
    const draft = await planned();
    const canceled = await campaigns.plannedCancel({ campaignId: draft.campaignId });
    assert.equal([canceled.status, canceled.broadcastId], ['canceled', null]);
    assert.is(await bench.codeOf(() => broadcasts.read({ broadcastId: draft.broadcastId })), 'broadcast_not_found');
    const { campaignId, broadcastId } = await planned();
    await broadcasts.schedule({ broadcastId });
    const cancel = () => campaigns.plannedCancel({ campaignId });
    assert.match(await refusal(cancel), /^state_conflict: .*cancel the broadcast first/);
    await broadcasts.unschedule({ broadcastId });
    await broadcasts.schedule({ broadcastId, sendAt: null });
    await bench.settle();
    assert.match(await refusal(cancel), /^state_conflict: .*was sent/);
    const other = await planned();
    await broadcasts.schedule({ broadcastId: other.broadcastId });
    await broadcasts.cancel({ broadcastId: other.broadcastId });
    const after = await campaigns.plannedCancel({ campaignId: other.campaignId });
    assert.equal([after.status, after.broadcastId], ['canceled', other.broadcastId]);
  });

  test('a key without broadcasts:write changes a plan, but not through it a broadcast', async () => {
    const { campaignId, broadcastId } = await planned();
    const key = await bench.keyWith(['campaigns:read', 'campaigns:write']);
    const path = `/v1/campaigns/planned/${campaignId}`;
    const patch = (body: object) => bench.request(path, { method: 'PATCH', key, body });
    assert.equal((await patch({ name: 'Other' })).body.error.code, 'insufficient_scope');
    assert.is((await patch({ description: 'Chairs.' })).status, 200);
    const cancel = await bench.request(`${path}/cancel`, { method: 'POST', key });
    assert.is(cancel.body.error.code, 'insufficient_scope');
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).name, 'Spring news');
  });

  test('the calendar shows the broadcast in place of its plan, at the time of the broadcast', async () => {
    const { campaignId, broadcastId } = await planned();
    const { broadcasts, contentPlan } = bench.calls();
    const entries = async () =>
      (await contentPlan.list()).data.map(({ kind, id, at, status }) => [kind, id, at, status]);
    assert.equal(await entries(), [['broadcast', broadcastId, inDays(7), 'draft']]);
    await broadcasts.update({ broadcastId, sendAt: '2099-01-01T09:00:00Z' });
    assert.equal(await entries(), [], 'moved out of the four weeks');
    await broadcasts.update({ broadcastId, sendAt: inDays(2).slice(0, 19), timezone: 'UTC' });
    assert.equal((await entries())[0]?.slice(0, 2), ['broadcast', broadcastId], 'a local time');
    const local = (await broadcasts.schedule({ broadcastId })).status;
    assert.equal([local, (await entries())[0]?.[3]], ['scheduled', 'scheduled']);
    await broadcasts.unschedule({ broadcastId });
    assert.equal((await entries())[0]?.slice(0, 2), ['broadcast', broadcastId], 'a draft again');
    await broadcasts.schedule({ broadcastId });
    await broadcasts.cancel({ broadcastId });
    assert.equal(await entries(), [], 'canceled');
    const key = await bench.keyWith(['campaigns:read']);
    const { data } = (await bench.request('/v1/content-plan', { key })).body;
    assert.equal(
      data.map(({ kind, id }: { kind: string; id: string }) => [kind, id]),
      [['planned_email', campaignId]],
      'a key that may not read broadcasts sees the plan',
    );
  });

  test('pages of the calendar list plans and broadcasts in one order, each once', async () => {
    const ids: string[] = [];
    for (let index = 1; index <= 4; index += 1) {
      ids.push(await plan({ name: `Plan ${index}`, scheduleAt: inDays(index) }));
      const campaignId = await plan({ name: `Mail ${index}`, scheduleAt: inDays(index) });
      ids.push((await bench.calls().campaigns.plannedBroadcast({ campaignId, audience: audience() })).broadcastId);
    }
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
      const page = await bench.calls().contentPlan.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.data.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    assert.equal([...seen].sort(), [...ids].sort());
  });
});
