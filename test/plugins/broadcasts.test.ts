// Drafts of broadcasts: valid fields, changes, schedules, and faults that prevent a schedule.
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('drafts of broadcasts', (test, database) => {
  let bench: BroadcastBench;
  test.before.each(async () => {
    bench = await openBroadcastBench(database);
  });
  test.after.each(() => bench.close());

  /** The details of the error with which scheduling fails. */
  async function faultsOf(broadcastId: string, input: object = {}): Promise<string[]> {
    try {
      await bench.calls().broadcasts.schedule({ broadcastId, ...input });
      return [];
    } catch (error) {
      if (!isPostriderError(error, 'broadcast_invalid')) throw error;
      return (error.details ?? []).map(({ path, code }) => `${path} ${code}`);
    }
  }

  test('one attempt to schedule reports all faults', async () => {
    await bench.publish('receipt');
    const { segmentId } = await bench.calls().segments.create({ name: 'Everybody', filter: {} });
    const broadcastId = await bench.draft({
      templateKey: 'receipt',
      variables: { title: '{{ order.id }}' },
      from: { email: 'news@elsewhere.example', name: '' },
      audience: { include: [{ segmentId }] },
      sendAt: '2020-01-01T09:00:00Z',
    });
    assert.equal((await faultsOf(broadcastId)).sort(), [
      'audience empty',
      'from from_not_allowed',
      'sendAt time_invalid',
      'templateKey not_marketing',
      'topicKey required',
      'variables.name required',
      'variables.title placeholder_unknown',
      'variables.title unknown',
    ]);
    assert.equal(await faultsOf(await bench.draft({ templateKey: null, variables: {} })), [
      'templateKey required',
      'audience required',
    ]);
  });

  test('marketing mail needs a postal address, and a published template', async () => {
    const [brand] = (await bench.calls().brand.list()).data;
    await bench.calls().brand.update({ id: brand?.id ?? '', postal_address: null });
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    assert.equal(await faultsOf(broadcastId), ['templateKey no_postal_address']);
    await bench.calls().templates.create({ key: 'later', category: 'marketing', subject: 'Hi', body: '<p>Hi</p>' });
    await bench.calls().broadcasts.update({ broadcastId, templateKey: 'later', variables: {} });
    assert.equal(await faultsOf(broadcastId), ['templateKey template_not_published']);
  });

  test('a constant value that the contract refuses is a fault of the draft, and does not exclude everybody', async () => {
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, variables: { name: 5 } });
    assert.equal(await faultsOf(broadcastId), ['variables.name type']);
    await bench.calls().broadcasts.update({ broadcastId, variables: { name: { first: '{{ contact.email }}' } } });
    assert.equal(await faultsOf(broadcastId), []);
  });

  test('the name of a sender must be one line, because mail with another name would fail', async () => {
    const from = (name: string) => ({ email: 'news@example.com', name });
    for (const name of ['News\r\nBcc: eve@example.org', 'News\u0000'])
      assert.is(await bench.codeOf(() => bench.draft({ from: from(name) })), 'validation_failed');
    assert.is(await bench.codeOf(() => bench.draft({ from: from('Ünï "quoted" خبر') })), 'none');
  });

  test('the ceiling of a schedule may not be lower than the audience', async () => {
    const listId = await bench.list(['ada@example.org', 'bob@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    assert.equal(await faultsOf(broadcastId, { ceiling: 1 }), ['ceiling too_low']);
    const scheduled = await bench.calls().broadcasts.schedule({ broadcastId, ceiling: 2 });
    assert.is(scheduled.ceiling, 2);
  });

  test('only a draft can be changed, and its version prevents lost updates', async () => {
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, sendAt: '2099-06-01T09:00:00+02:00' });
    const { broadcasts } = bench.calls();
    const changed = await broadcasts.update({ broadcastId, name: 'Sommer — خبر', expectedVersion: 1 });
    assert.equal([changed.name, changed.version, changed.sendAt], ['Sommer — خبر', 2, '2099-06-01T07:00:00.000Z']);
    const stale = () => broadcasts.update({ broadcastId, name: 'Late', expectedVersion: 1 });
    assert.is(await bench.codeOf(stale), 'version_conflict');
    const scheduled = await broadcasts.schedule({ broadcastId });
    assert.equal([scheduled.status, scheduled.templateVersion, scheduled.contentHash?.length], ['scheduled', 1, 64]);
    assert.is(await bench.codeOf(() => broadcasts.update({ broadcastId, name: 'Late' })), 'state_conflict');
    assert.is(await bench.codeOf(() => broadcasts.delete({ broadcastId })), 'state_conflict');
    assert.is(await bench.codeOf(() => broadcasts.resume({ broadcastId })), 'state_conflict');
    const draft = await broadcasts.unschedule({ broadcastId });
    assert.equal([draft.status, draft.templateVersion, draft.contentHash, draft.ceiling], ['draft', null, null, null]);
    assert.equal(await broadcasts.delete({ broadcastId }), { broadcastId, deleted: true });
    assert.is(await bench.codeOf(() => broadcasts.read({ broadcastId })), 'broadcast_not_found');
  });

  test('an unscheduled broadcast is not sent at its former time', async () => {
    const listId = await bench.list(['ada@example.org']);
    const sendAt = new Date(bench.now() + 3_600_000).toISOString();
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, sendAt });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.calls().broadcasts.unschedule({ broadcastId });
    bench.advanceClock(2 * 3_600_000);
    await bench.settle();
    assert.equal(await bench.recipients(), []);
  });

  test('a duplicate is a draft with the content and audience, but without time, ceiling and counts', async () => {
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] }, holdoutPercent: 10 });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    const copy = await bench.calls().broadcasts.duplicate({ broadcastId });
    assert.equal(
      [copy.name, copy.status, copy.holdoutPercent, copy.ceiling, copy.counts.audience, copy.startedAt],
      ['Spring news (copy)', 'draft', 10, null, 0, null],
    );
    assert.equal(copy.audience, { include: [{ listId }], exclude: [] });
  });

  test('lists, segments, topics and templates cannot be deleted while a broadcast needs them', async () => {
    const { broadcasts, lists, segments, topics, templates } = bench.calls();
    const listId = await bench.list(['ada@example.org']);
    const { segmentId } = await segments.create({ name: 'Everybody', filter: {} });
    await topics.create({ key: 'letters', name: 'Letters', default: 'subscribed' });
    const audience = { include: [{ listId }], exclude: [{ segmentId }] };
    const broadcastId = await bench.draft({ audience, topicKey: 'letters' });
    const codes = async () => [
      await bench.codeOf(() => lists.delete({ listId })),
      await bench.codeOf(() => segments.delete({ segmentId })),
      await bench.codeOf(() => topics.delete({ key: 'letters' })),
    ];
    assert.equal(await codes(), ['list_in_use', 'segment_in_use', 'topic_in_use']);
    await broadcasts.schedule({ broadcastId, sendAt: '2099-01-01T00:00:00Z' });
    assert.is(await bench.codeOf(() => templates.archive({ key: 'news' })), 'template_in_use');
    await broadcasts.cancel({ broadcastId });
    assert.equal(await codes(), ['none', 'none', 'none']);
  });

  test('a workspace has at most 1,000 broadcasts that are neither sent nor canceled', async () => {
    const { broadcasts } = bench.calls();
    const { broadcastId } = await broadcasts.create({ name: 'First' });
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(bench.service.core, workspace, async ({ trx, newId }) => {
      const row = await trx.db
        .selectFrom('broadcasts')
        .selectAll()
        .where('id', '=', broadcastId)
        .executeTakeFirstOrThrow();
      const copies = Array.from({ length: 999 }, () => ({ ...row, id: newId('brc') }));
      for (let from = 0; from < copies.length; from += 100)
        await trx.db
          .insertInto('broadcasts')
          .values(copies.slice(from, from + 100))
          .execute();
    });
    assert.is(await bench.codeOf(() => broadcasts.create({ name: 'One more' })), 'limit_reached');
    assert.is(await bench.codeOf(() => broadcasts.duplicate({ broadcastId })), 'limit_reached');
    await broadcasts.delete({ broadcastId });
    assert.is(await bench.codeOf(() => broadcasts.create({ name: 'One more' })), 'none');
  });

  test('each side sees only its own broadcasts, and a broadcast of the sandbox never leaves the process', async () => {
    const listId = await bench.list(['ada@example.org'], true);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } }, true);
    assert.is(await bench.codeOf(() => bench.calls().broadcasts.read({ broadcastId })), 'broadcast_not_found');
    await bench.calls(true).broadcasts.schedule({ broadcastId });
    await bench.settle();
    const sent = await bench.calls(true).broadcasts.read({ broadcastId });
    assert.equal([sent.status, sent.sandbox, sent.counts.accepted, sent.counts.delivered], ['sent', true, 1, 1]);
    assert.equal(await bench.recipients(), []);
  });

  test('each transition has one event and one entry in the audit log', async () => {
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    for (const change of ['scheduled', 'started', 'sent'] as const) {
      const events = await bench.events(`broadcast.${change}`);
      assert.is(events.length, 1, change);
    }
    const { data } = await bench.calls().audit.list({ limit: 100 });
    const actions = data.flatMap(({ action, target }) => (target.id === broadcastId ? [action] : []));
    assert.equal(actions.sort(), [
      'broadcast.create',
      'broadcast.finish',
      'broadcast.schedule',
      'broadcast.send',
      'broadcast.start',
    ]);
  });

  test('keys need the scope of their calls, and lists of recipients show people only with contacts:read', async () => {
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    const keyWith = async (scopes: string[]) =>
      (await bench.service.keys.create({ workspaceId: bench.workspaceId, name: scopes.join(), scopes })).secret;
    const path = `/v1/broadcasts/${broadcastId}/recipients`;
    const [seen] = (await bench.request(path, { key: await keyWith(['broadcasts:read', 'contacts:read']) })).body.data;
    assert.equal([seen.email, seen.status, seen.reason], ['ada@example.org', 'accepted', null]);
    const [hidden] = (await bench.request(path, { key: await keyWith(['broadcasts:read']) })).body.data;
    assert.equal(Object.keys(hidden).sort(), ['at', 'holdout', 'reason', 'sendId', 'status', 'variant']);
    const author = await keyWith(['broadcasts:write']);
    const refusal = await bench.request(`/v1/broadcasts/${broadcastId}/cancel`, { key: author, body: {} });
    assert.is(refusal.body.error.code, 'insufficient_scope');
    const csv = await bench.request(path, { headers: { accept: 'text/csv' } });
    assert.match(csv.bytes.toString('utf8'), 'contactId,email,status,reason,variant,holdout,sendId,at');
  });
});
