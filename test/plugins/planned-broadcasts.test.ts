// Planned emails that become broadcasts: the draft, the values that follow the plan until the schedule, and the calendar.
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
    const defaults = { name: 'Spring news', scheduleAt: inDays(7), timezone: 'Europe/Vienna', ...fields };
    return (await bench.calls().campaigns.planned(defaults)).campaignId;
  }
  /** Creates a planned email with the template `news`, and its broadcast. */
  async function planWithBroadcast() {
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

  test('the broadcast is a draft with the name, date and template of the plan, and the plan names the broadcast', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const broadcast = await bench.calls().broadcasts.read({ broadcastId });
    assert.equal(
      [broadcast.status, broadcast.name, broadcast.templateKey, broadcast.sendAt, broadcast.timezone],
      ['draft', 'Spring news', 'news', inDays(7), 'Europe/Vienna'],
    );
    assert.equal([broadcast.campaignId, broadcast.audience], [campaignId, { include: [{ listId }], exclude: [] }]);
    assert.is((await bench.calls().campaigns.plannedRead({ campaignId })).broadcastId, broadcastId);
    const broadcastList = await bench.calls().broadcasts.list({ campaignId });
    assert.equal(
      broadcastList.data.map((one) => one.broadcastId),
      [broadcastId],
    );
  });

  test('the mail of the plan reaches the audience on its date', async () => {
    const { broadcastId } = await planWithBroadcast();
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    assert.equal(await bench.recipients(), []);
    bench.advanceClock(7 * day);
    await bench.settle();
    assert.equal(await bench.recipients(), ['ada@example.org', 'bob@example.org']);
  });

  test('a plan has one broadcast, and a canceled plan gets no broadcast', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const { campaigns } = bench.calls();
    const secondRefusal = await refusal(() => campaigns.plannedBroadcast({ campaignId, audience: audience() }));
    assert.match(secondRefusal, /^state_conflict: /);
    assert.match(secondRefusal, broadcastId);
    const canceledId = await plan();
    await campaigns.plannedCancel({ campaignId: canceledId });
    const message = await refusal(() => campaigns.plannedBroadcast({ campaignId: canceledId, audience: audience() }));
    assert.match(message, /^state_conflict: .*was canceled/);
  });

  test('of two simultaneous calls, one creates the broadcast', async () => {
    const campaignId = await plan();
    const call = () => refusal(() => bench.calls().campaigns.plannedBroadcast({ campaignId, audience: audience() }));
    const results = await Promise.all([call(), call()]);
    assert.equal(results.map((one) => one.split(':')[0]).sort(), ['none', 'state_conflict']);
    assert.is((await bench.calls().broadcasts.list({ campaignId })).data.length, 1);
  });

  test('without an existing audience no broadcast is created', async () => {
    const campaignId = await plan();
    const missing = { include: [{ listId: 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] };
    const code = await bench.codeOf(() => bench.calls().campaigns.plannedBroadcast({ campaignId, audience: missing }));
    assert.is(code, 'list_not_found');
    assert.is((await bench.calls().campaigns.plannedRead({ campaignId })).broadcastId, null);
  });

  test('after its draft is deleted, the plan can get another broadcast', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    await bench.calls().broadcasts.delete({ broadcastId });
    assert.is((await bench.calls().campaigns.plannedRead({ campaignId })).broadcastId, null);
    const second = await bench.calls().campaigns.plannedBroadcast({ campaignId, audience: audience() });
    assert.is.not(second.broadcastId, broadcastId);
  });

  test('a draft follows the plan, except for values that people changed in the broadcast', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const { broadcasts, campaigns } = bench.calls();
    await broadcasts.update({ broadcastId, name: 'Our own name' });
    await campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9), description: 'The new chairs.' });
    const afterMove = await broadcasts.read({ broadcastId });
    assert.equal([afterMove.sendAt, afterMove.name, afterMove.templateKey], [inDays(9), 'Our own name', 'news']);
    await campaigns.plannedUpdate({ campaignId, name: 'Summer news', templateKey: null, timezone: 'UTC' });
    const afterChange = await broadcasts.read({ broadcastId });
    assert.equal(
      [afterChange.name, afterChange.templateKey, afterChange.timezone, afterChange.sendAt],
      ['Summer news', null, 'UTC', inDays(9)],
    );
  });

  test('a new date of the plan replaces a local time of the draft, and the calendar follows a new time zone', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const { broadcasts, campaigns, contentPlan } = bench.calls();
    const calendarTimes = async () => (await contentPlan.list()).data.map((entry) => entry.at);
    const local = `${inDays(3).slice(0, 10)}T09:00:00`;
    await broadcasts.update({ broadcastId, sendAt: local, timezone: 'UTC' });
    assert.equal(await calendarTimes(), [`${local}.000Z`]);
    await campaigns.plannedUpdate({ campaignId, timezone: 'Asia/Tokyo' });
    assert.equal(await calendarTimes(), [`${inDays(3).slice(0, 10)}T00:00:00.000Z`]);
    await broadcasts.update({ broadcastId, timezone: 'recipient' });
    await campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) });
    const afterMove = await broadcasts.read({ broadcastId });
    assert.equal([afterMove.sendAt, afterMove.timezone, await calendarTimes()], [inDays(9), 'Asia/Tokyo', [inDays(9)]]);
  });

  test('a change of the plan withdraws the pending request for the draft', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    await bench.calls().approvals.policySet({ surfaceKind: 'broadcast', required: true });
    const heldAnswer = await bench.request(`/v1/broadcasts/${broadcastId}/schedule`, { body: {} });
    assert.equal([heldAnswer.status, heldAnswer.body.approval?.status], [202, 'pending']);
    await bench.calls().campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) });
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).approval, null);
  });

  test('after the broadcast is scheduled, only the description of the plan can be changed', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const { broadcasts, campaigns } = bench.calls();
    await broadcasts.schedule({ broadcastId });
    const message = await refusal(() => campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) }));
    assert.match(message, /^state_conflict: .*is scheduled/);
    assert.is((await campaigns.plannedRead({ campaignId })).scheduleAt, inDays(7));
    const { description } = await campaigns.plannedUpdate({ campaignId, description: 'The new chairs.' });
    assert.is(description, 'The new chairs.');
    await broadcasts.unschedule({ broadcastId });
    await campaigns.plannedUpdate({ campaignId, scheduleAt: inDays(9) });
    assert.is((await broadcasts.read({ broadcastId })).sendAt, inDays(9));
  });

  test('canceling a plan deletes its draft, but neither stops nor hides a scheduled or sent broadcast', async () => {
    const { campaigns, broadcasts } = bench.calls();
    const draft = await planWithBroadcast();
    const cancellation = await campaigns.plannedCancel({ campaignId: draft.campaignId });
    assert.equal([cancellation.status, cancellation.broadcastId], ['canceled', null]);
    assert.is(await bench.codeOf(() => broadcasts.read({ broadcastId: draft.broadcastId })), 'broadcast_not_found');
    const { campaignId, broadcastId } = await planWithBroadcast();
    await broadcasts.schedule({ broadcastId });
    const cancel = () => campaigns.plannedCancel({ campaignId });
    assert.match(await refusal(cancel), /^state_conflict: .*cancel the broadcast first/);
    await broadcasts.unschedule({ broadcastId });
    await broadcasts.schedule({ broadcastId, sendAt: null });
    await bench.settle();
    assert.match(await refusal(cancel), /^state_conflict: .*was sent/);
    const otherPlan = await planWithBroadcast();
    await broadcasts.schedule({ broadcastId: otherPlan.broadcastId });
    await broadcasts.cancel({ broadcastId: otherPlan.broadcastId });
    const after = await campaigns.plannedCancel({ campaignId: otherPlan.campaignId });
    assert.equal([after.status, after.broadcastId], ['canceled', otherPlan.broadcastId]);
  });

  test('a key without broadcasts:write can change a plan, but this changes no broadcast', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const key = await bench.keyWith(['campaigns:read', 'campaigns:write']);
    const path = `/v1/campaigns/planned/${campaignId}`;
    const patch = (body: object) => bench.request(path, { method: 'PATCH', key, body });
    assert.equal((await patch({ name: 'Other' })).body.error.code, 'insufficient_scope');
    assert.is((await patch({ description: 'Chairs.' })).status, 200);
    const cancel = await bench.request(`${path}/cancel`, { method: 'POST', key });
    assert.is(cancel.body.error.code, 'insufficient_scope');
    assert.is((await bench.calls().broadcasts.read({ broadcastId })).name, 'Spring news');
  });

  test('the calendar shows the broadcast instead of its plan, at the time of the broadcast', async () => {
    const { campaignId, broadcastId } = await planWithBroadcast();
    const { broadcasts, contentPlan } = bench.calls();
    const entries = async () =>
      (await contentPlan.list()).data.map(({ kind, id, at, status }) => [kind, id, at, status]);
    assert.equal(await entries(), [['broadcast', broadcastId, inDays(7), 'draft']]);
    await broadcasts.update({ broadcastId, sendAt: '2099-01-01T09:00:00Z' });
    assert.equal(await entries(), [], 'the broadcast has moved out of the four weeks');
    await broadcasts.update({ broadcastId, sendAt: inDays(2).slice(0, 19), timezone: 'UTC' });
    assert.equal(
      (await entries())[0]?.slice(0, 2),
      ['broadcast', broadcastId],
      'a broadcast at a local time is in the calendar',
    );
    const local = (await broadcasts.schedule({ broadcastId })).status;
    assert.equal([local, (await entries())[0]?.[3]], ['scheduled', 'scheduled']);
    await broadcasts.unschedule({ broadcastId });
    assert.equal((await entries())[0]?.slice(0, 2), ['broadcast', broadcastId], 'the broadcast is a draft again');
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

  test('pages of the calendar list plans and broadcasts once each, in one order', async () => {
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
