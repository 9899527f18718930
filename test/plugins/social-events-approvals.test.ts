// time-limit: 240
// Social events whose posts wait for an approval.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const path = '/v1/social/transactional/events';
const stock = { eventKey: 'back_in_stock', variables: { product: 'The oak stool' }, outcome: 'publish' };

await twoDatabases('approvals of social events', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    const { service, workspaceId } = bench;
    await service.connectors.create(workspaceId, { kind: 'social', provider: 'x', name: 'x', credentials: {} });
    await service.as(workspaceId).social.networksRefresh();
    await bench.policy({ required: true }, 'social_post');
  });
  test.after.each(() => bench.close());

  const trigger = (body: object = {}, headers = {}) => bench.by('ada', path, { ...stock, ...body }, { headers });
  const run = async () => (await bench.request(path)).body.data[0];

  test('a draft needs no approval', async () => {
    const { status, body } = await trigger({ outcome: 'draft' });
    assert.equal([status, body.status, body.approval], [201, 'drafted', undefined]);
  });

  test('a run that would publish waits for approval, and is published after it', async () => {
    const answer = await trigger({ dedupeKey: 'stool' });
    const { approval, ...fields } = answer.body;
    assert.equal([answer.status, fields.status, approval.status], [202, 'pending_approval', 'pending']);
    assert.equal(await run(), fields);
    const request = await bench.read(approval.requestId);
    assert.equal(request.target, { kind: 'post', id: fields.postId });
    assert.is(request.transition.operation, 'social_events.trigger');
    const second = await trigger({ dedupeKey: 'stool' });
    assert.equal([second.status, second.body], [201, { ...fields, deduplicated: true }]);
    await bench.approve(approval.requestId);
    await bench.drain();
    assert.is((await run()).status, 'published');
    assert.is((await bench.read(approval.requestId)).execution.status, 'done');
    assert.is((await bench.request(path)).body.data.length, 1);
    assert.is((await bench.request('/v1/social/posts')).body.data.length, 1);
  });

  test('a repeated call gets the same 202, even after the decision', async () => {
    const headers = { 'idempotency-key': 'the same' };
    const first = await trigger({}, headers);
    await bench.approve(first.body.approval.requestId);
    await bench.drain();
    const replay = await trigger({}, headers);
    assert.equal([replay.status, replay.body], [202, first.body]);
  });

  test('after a rejection the run is a draft again', async () => {
    const { body } = await trigger();
    await bench.decide(body.approval.requestId, { decision: 'reject' });
    await bench.drain();
    assert.is((await run()).status, 'drafted');
  });

  test('a post that is deleted while it waits for approval is not published', async () => {
    const { body } = await trigger();
    await bench.by('ada', `/v1/social/posts/${body.postId}`, undefined, { method: 'DELETE' });
    await bench.approve(body.approval.requestId);
    await bench.drain();
    assert.is((await run()).status, 'deleted');
    assert.is((await bench.read(body.approval.requestId)).status, 'withdrawn');
  });
});
