// Sandbox requests need no real reviewers: the requester decides a held post, and nothing on the live side changes.
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('sandbox approvals', (test, database) => {
  let bench: ApprovalsBench;
  test.before(async () => {
    bench = await openApprovalsBench(database);
    const { service, workspaceId } = bench;
    await service.connectors.create(workspaceId, { kind: 'social', provider: 'x', name: 'x', credentials: {} });
    await service.as(workspaceId).social.networksRefresh();
    await bench.policy({ required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal'] }, 'social_post');
  });
  test.after(() => bench.close());

  const post = (key: string) => bench.send(key, '/v1/social/posts', { channels: ['x'], caption: 'a', publish: true });
  const decide = (key: string, id: string, contentHash: string) =>
    bench.send(key, `/v1/approvals/pending/${id}/decide`, { decision: 'approve', contentHash });

  test('a sandbox key publishes a held post by approving its own request', async () => {
    const heldPost = await post(bench.testKey);
    assert.equal([heldPost.status, heldPost.body.status], [202, 'pending_approval']);
    const { requestId } = heldPost.body.approval;
    const read = async (path: string) => (await bench.request(path, { key: bench.testKey })).body;
    const { contentHash } = await read(`/v1/approvals/requests/${requestId}`);
    const decided = await decide(bench.testKey, requestId, contentHash);
    assert.equal([decided.status, decided.body.status], [200, 'approved'], JSON.stringify(decided.body));
    await bench.drain();
    const { status, sandbox } = await read(`/v1/social/posts/${heldPost.body.id}`);
    assert.equal([status, sandbox], ['published', true]);
  });

  test('a live request needs its reviewers: neither the requester nor a sandbox key can decide it', async () => {
    const heldPost = await post(bench.keys.ada.secret);
    const { requestId } = heldPost.body.approval;
    const { contentHash } = await bench.read(requestId);
    const ownDecision = await decide(bench.keys.ada.secret, requestId, contentHash);
    assert.equal([ownDecision.status, ownDecision.body.error.code], [403, 'self_approval']);
    const sandboxDecision = await decide(bench.testKey, requestId, contentHash);
    assert.equal([sandboxDecision.status, sandboxDecision.body.error.code], [404, 'approval_not_found']);
    assert.is((await bench.read(requestId)).status, 'pending');
  });

  test('a repeated submission tells the requester their options, and tells other keys how to decide', async () => {
    await bench.policy({ required: true }, 'email_template');
    await bench.edited('launch');
    const submit = (key: string) =>
      bench.send(key, '/v1/approvals/requests', { surfaceKind: 'email_template', targetId: 'launch' });
    const { requestId } = (await submit(bench.keys.ada.secret)).body;
    const ownError = (await submit(bench.keys.ada.secret)).body.error;
    assert.is(ownError.code, 'state_conflict');
    assert.match(ownError.message, `Your request ${requestId}`);
    assert.match(ownError.message, 'withdraw');
    assert.not.match(ownError.message, '/decide');
    const reviewerError = (await submit(bench.keys.bea.secret)).body.error;
    assert.match(reviewerError.message, `/v1/approvals/pending/${requestId}/decide`);
  });
});
