// time-limit: 240
// Keys and members, policies that become stricter, and the checks that are repeated when an approved call runs.
// full-run: slow
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { approvalsPlugin } from '../../plugins/approvals/index.ts';
import { policyRows } from '../../plugins/approvals/tables.ts';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;

await twoDatabases('members and policies of approvals', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database, {
      page: { minApprovals: 2, reviewers: ['u_bea', 'u_cal'] },
    });
  });
  test.after.each(() => bench.close());

  const held = async (key: string): Promise<string> => {
    await bench.edited(key);
    return (await bench.publish(key)).body.approval.requestId;
  };
  const refusal = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('a key shows its members, and can act only for them', async () => {
    const { body } = await bench.request(`/v1/keys/${bench.keys.ada.id}`);
    assert.equal(body.members, ['u_ada']);
    await bench.policy({ required: true });
    const id = await held('bound');
    const acting = await bench.decide(id, { decision: 'reject', actingAsMemberUid: 'u_cal' }, 'bea');
    assert.equal(refusal(acting), [403, 'member_not_allowed']);
    const several = await bench.keyFor(['u_bea', 'u_cal']);
    const path = `/v1/approvals/pending/${id}/decide`;
    assert.equal(refusal(await bench.send(several.secret, path, { decision: 'reject' })), [403, 'member_not_allowed']);
    const answer = await bench.send(several.secret, path, { decision: 'reject', actingAsMemberUid: 'u_cal' });
    assert.is(answer.body.decisions[0].uid, 'u_cal');
  });

  test('neither a key nor the program can decide without a member', async () => {
    await bench.policy({ required: true });
    const id = await held('nobody');
    const path = `/v1/approvals/pending/${id}/decide`;
    const approve = { decision: 'approve' };
    const answer = await bench.send((await bench.keyFor([])).secret, path, approve);
    assert.equal(
      refusal(answer),
      [403, 'member_not_allowed'],
      'the missing member is reported before the missing contentHash',
    );
    assert.equal(refusal(await bench.send((await bench.keyFor([])).secret, path, { decision: 'reject' })), [
      403,
      'member_not_allowed',
    ]);
    const program = bench.service.as(bench.workspaceId);
    const code = await program.approvals.decide({ requestId: id, decision: 'reject' }).catch((error) => error.code);
    assert.is(code, 'member_not_allowed');
    const bea = bench.service.as(bench.workspaceId, { actor: 'console', member: 'u_bea' });
    assert.is((await bea.approvals.decide({ requestId: id, decision: 'reject' })).status, 'rejected');
  });

  test('the list shows all seven policies, and a PUT replaces one of them', async () => {
    const { body } = await bench.request('/v1/approvals/policies');
    assert.equal(
      body.data.map(({ surfaceKind }: { surfaceKind: string }) => surfaceKind),
      ['social_post', 'email_template', 'page', 'blog_post', 'sequence', 'creation_strategy', 'broadcast'],
    );
    assert.equal([body.data[2].required, body.data[2].minApprovals], [true, 2]);
    const { body: set } = await bench.policy({ required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal'] });
    assert.equal([set.minApprovals, set.reviewers, set.expiresAfterHours], [2, ['u_bea', 'u_cal'], 168]);
    const { body: replaced } = await bench.policy({ required: true });
    assert.equal([replaced.minApprovals, replaced.reviewers], [1, []]);
    for (const [bad, path] of [
      [{ minApprovals: 11 }, 'minApprovals'],
      [{ minApprovals: 2, reviewers: ['u_bea'] }, 'minApprovals'],
      [{ reviewers: ['u_stranger'] }, 'reviewers.0'],
      [{ expiresAfterHours: 721 }, 'expiresAfterHours'],
    ] as const) {
      const answer = await bench.policy(bad);
      assert.equal([answer.status, answer.body.error.details[0].path], [422, path]);
    }
  });

  test('minApprovals cannot exceed the number of members, unless the policy is switched off', async () => {
    const { status, body } = await bench.policy({ required: true, minApprovals: 5 });
    const details = [
      {
        path: 'minApprovals',
        code: 'too_large',
        message: 'minApprovals is at most 4: the workspace has only 4 members who can decide.',
      },
    ];
    assert.equal([status, body.error.details], [422, details]);
    assert.is((await bench.policy({ required: true, minApprovals: 4 })).status, 200);
    assert.is((await bench.policy({ required: false, minApprovals: 5 })).status, 200);
  });

  test('a fixed policy is a lower bound', async () => {
    for (const weaker of [
      { required: false },
      { required: true, minApprovals: 1, reviewers: ['u_bea', 'u_cal'] },
      { required: true, minApprovals: 2 },
      { required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal'], appliesTo: 'agents' },
    ])
      assert.equal(refusal(await bench.policy(weaker, 'page')), [403, 'policy_fixed']);
    const stricter = { required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal'] };
    assert.is((await bench.policy(stricter, 'page')).status, 200);
    assert.throws(() => approvalsPlugin({ policies: { page: { minApprovals: 3, reviewers: ['u_1'] } } }), /not valid/);
  });

  test('a later policy can tighten the rule of a pending request, but never loosen it', async () => {
    await bench.policy({ required: true, reviewers: ['u_bea', 'u_cal'] });
    const id = await held('tight');
    await bench.policy({ required: true, minApprovals: 2 });
    assert.equal((await bench.read(id)).rule, { minApprovals: 2, reviewers: ['u_bea', 'u_cal'] });
    await bench.policy({ required: false });
    assert.equal((await bench.read(id)).rule, { minApprovals: 2, reviewers: ['u_bea', 'u_cal'] });
    assert.is((await bench.approve(id, 'bea')).body.status, 'pending');
    assert.equal(refusal(await bench.approve(id, 'dan')), [403, 'not_reviewer']);
    assert.is((await bench.approve(id, 'cal')).body.status, 'approved');
  });

  test('a decision of a former reviewer no longer counts', async () => {
    await bench.policy({ required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal', 'u_dan'] });
    const id = await held('former');
    await bench.approve(id, 'bea');
    await bench.policy({ required: true, minApprovals: 2, reviewers: ['u_cal', 'u_dan'] });
    assert.is((await bench.approve(id, 'cal')).body.status, 'pending');
    assert.is((await bench.approve(id, 'dan')).body.status, 'approved');
  });

  test('a pending request is withdrawn if too few reviewers remain', async () => {
    await bench.policy({ required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal'] });
    const id = await held('few');
    await bench.policy({ required: true, reviewers: ['u_cal'] });
    const { status, reason } = await bench.read(id);
    assert.equal([status, reason], ['withdrawn', 'policy_changed']);
  });

  test('a policy that changed without a PUT still applies to pending requests', async () => {
    await bench.policy({ required: true, reviewers: ['u_bea'] });
    const id = await held('untold');
    // This has the effect of a restart with a stricter fixed policy: no PUT tightens the pending request.
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(bench.service.core, workspace, ({ trx }) =>
      policyRows.update(trx, 'email_template', { reviewers: ['u_cal'] }),
    );
    const { body } = await bench.approve(id, 'bea');
    assert.equal([body.status, body.reason, body.decisions], ['withdrawn', 'policy_changed', []]);
    await bench.drain();
    assert.is((await bench.template('untold')).version, 1);
  });

  test('revoking a key as compromised withdraws its requests; another revocation leaves them pending', async () => {
    await bench.policy({ required: true });
    const [first, second] = [await bench.keyFor(['u_ada']), await bench.keyFor(['u_ada'])];
    const ids: string[] = [];
    for (const [key, by] of [
      ['left', first],
      ['taken', second],
    ] as const) {
      await bench.edited(key);
      ids.push((await bench.send(by.secret, `/v1/templates/${key}/publish`, {})).body.approval.requestId);
    }
    await bench.service.keys.revoke(bench.workspaceId, first.id);
    await bench.service.keys.revoke(bench.workspaceId, second.id, { compromised: true });
    const [pending, withdrawn] = await Promise.all(ids.map((id) => bench.read(id)));
    assert.is(pending.status, 'pending');
    assert.equal([withdrawn.status, withdrawn.reason], ['withdrawn', 'key_compromised']);
    // Its key is revoked, so the approved call does not run.
    await bench.approve(pending.requestId);
    await bench.drain();
    const { execution } = await bench.read(pending.requestId);
    assert.equal([execution.status, execution.error], ['failed', 'invalid_api_key']);
    assert.is((await bench.template('left')).version, 1);
    const [failed] = await bench.events('approval.execution_failed');
    assert.is(failed?.requestId, pending.requestId);
    // The approval was not used, so a new call passes with it.
    assert.is((await bench.publish('left', 'cal')).status, 200);
    assert.is((await bench.read(pending.requestId)).execution.status, 'done');
  });

  test('an approved call is checked again for suspension, scope and content', async () => {
    await bench.policy({ required: true });
    const suspended = await held('suspended');
    await bench.approve(suspended);
    await bench.service.workspaces.suspend(bench.workspaceId);
    await bench.drain();
    await bench.service.workspaces.resume(bench.workspaceId);
    await bench.drain();
    assert.is((await bench.read(suspended)).execution.error ?? 'done', 'done', 'jobs of a suspended workspace wait');
    const changed = await held('changed');
    await bench.approve(changed);
    await bench.edit('changed', { subject: 'Third' });
    await bench.drain();
    assert.is((await bench.read(changed)).execution.error, 'content_changed');
    assert.is((await bench.template('changed')).version, 1);
  });

  test('requests are kept for 400 days, their differences for 90', async () => {
    await bench.policy({ required: true });
    const id = await held('old');
    await bench.withdraw(id);
    await bench.drain();
    bench.advanceClock(91 * day);
    await bench.drain();
    assert.is((await bench.read(id)).diff, null);
    bench.advanceClock(310 * day);
    await bench.drain();
    assert.is((await bench.read(id)).error.code, 'approval_not_found');
  });

  test('erasing a person removes their address from notes, comments and differences', async () => {
    await bench.policy({ required: true });
    await bench.edited('named', 'For eve@example.com');
    const { body } = await bench.publish('named');
    const { requestId } = body.approval;
    await bench.decide(requestId, { decision: 'reject', comment: 'Ask eve@example.com first' });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'eve@example.com' });
    await bench.drain();
    assert.not.match(JSON.stringify(await bench.read(requestId)), /eve@example\.com/);
  });

  test('an address that is only in a comment or in the note of a proposal is removed as well', async () => {
    await bench.edited('mentioned');
    const { body } = await bench.by('ada', '/v1/templates/mentioned/proposals', {
      subject: 'Third',
      note: 'As eve@example.com wished',
    });
    await bench.decide(body.requestId, { decision: 'request_changes', comment: 'Fourth' });
    await bench.edited('commented', 'Plain');
    const { body: submitted } = await bench.submit((await bench.template('commented')).id);
    await bench.decide(submitted.requestId, { decision: 'reject', comment: 'Ask eve@example.com first' });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'eve@example.com' });
    await bench.drain();
    const requests = [await bench.read(body.requestId), await bench.read(submitted.requestId)];
    assert.not.match(JSON.stringify(requests), /eve@example\.com/);
    assert.match(requests[0].transition.input.note, 'As ');
    assert.match(requests[1].decisions[0].comment, ' first');
  });

  test('an approval made under a weaker rule does not pass a stricter policy', async () => {
    const id = await bench.edited('weak');
    const { body: first } = await bench.submit(id);
    assert.is((await bench.approve(first.requestId, 'dan')).body.status, 'approved');
    await bench.policy({ required: true, minApprovals: 2, reviewers: ['u_bea', 'u_cal'] });
    const { status, body } = await bench.publish('weak');
    assert.is(status, 202);
    await bench.withdraw(body.approval.requestId);
    const { body: second } = await bench.submit(id);
    await bench.approve(second.requestId, 'bea');
    await bench.approve(second.requestId, 'cal');
    assert.is((await bench.publish('weak')).status, 200);
    const [older, newer] = [await bench.read(first.requestId), await bench.read(second.requestId)];
    assert.equal([older.execution, newer.execution.status], [null, 'done']);
  });

  test('a sandbox key cannot propose changes or set policies', async () => {
    await bench.edited('sandbox');
    for (const [path, body, method] of [
      ['/v1/templates/sandbox/proposals', { subject: 'Third' }, 'POST'],
      ['/v1/approvals/policies/page', { required: true }, 'PUT'],
    ] as const)
      assert.equal(refusal(await bench.send(bench.testKey, path, body, { method })), [403, 'live_key_required']);
  });
});
