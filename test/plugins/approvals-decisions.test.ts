// time-limit: 240
// Each state transition of a request, and who may decide.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const hour = 3_600_000;

await twoDatabases('deciding on approvals', (test, database) => {
  let bench: ApprovalsBench;
  let created = 0;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    await bench.policy({ required: true });
  });
  test.after.each(() => bench.close());

  /** Creates a template and publishes it, which the policy holds. Returns the key of the template and the id of the request. */
  const pending = async (): Promise<{ key: string; id: string }> => {
    created += 1;
    const key = `t-${created}`;
    await bench.edited(key);
    const { body } = await bench.publish(key);
    return { key, id: body.approval.requestId };
  };
  const statusOf = async (id: string) => {
    const { status, reason } = await bench.read(id);
    return [status, reason];
  };
  const refusal = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('a pending request is approved after the approvals of distinct members', async () => {
    await bench.policy({ required: true, minApprovals: 2 });
    const { key, id } = await pending();
    assert.is((await bench.approve(id, 'bea')).body.status, 'pending');
    assert.equal(refusal(await bench.approve(id, 'bea')), [409, 'state_conflict']);
    await bench.drain();
    assert.is((await bench.template(key)).version, 1);
    const { body } = await bench.approve(id, 'cal');
    assert.is(body.status, 'approved');
    assert.equal(
      body.decisions.map(({ uid, decision }: { uid: string; decision: string }) => [uid, decision]),
      [
        ['u_bea', 'approve'],
        ['u_cal', 'approve'],
      ],
    );
    const [decided] = await bench.events('approval.decided');
    assert.equal(decided, body);
    await bench.drain();
    assert.is((await bench.template(key)).version, 2);
  });

  test('if two members decide at the same time, both decisions count', async () => {
    await bench.policy({ required: true, minApprovals: 2 });
    const { id } = await pending();
    const answers = await Promise.all([bench.approve(id, 'bea'), bench.approve(id, 'cal')]);
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const request = await bench.read(id);
    assert.equal([request.status, request.decisions.length], ['approved', 2]);
  });

  test('if an approval and a rejection arrive at the same time, only one of them takes effect', async () => {
    const { id } = await pending();
    const { contentHash } = await bench.read(id);
    const answers = await Promise.all([
      bench.decide(id, { decision: 'approve', contentHash }, 'bea'),
      bench.decide(id, { decision: 'reject' }, 'cal'),
    ]);
    assert.equal(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.is((await bench.read(id)).decisions.length, 1);
  });

  for (const [decision, status] of [
    ['request_changes', 'changes_requested'],
    ['reject', 'rejected'],
  ] as const) {
    test(`a pending request becomes ${status}, and after that only changed content can be submitted again`, async () => {
      const { key, id } = await pending();
      const { body } = await bench.decide(id, { decision, comment: 'Shorter, please.' });
      assert.equal([body.status, body.decisions[0].comment], [status, 'Shorter, please.']);
      assert.equal(refusal(await bench.publish(key)), [409, 'state_conflict']);
      await bench.edit(key, { subject: 'Third' });
      const secondAnswer = await bench.publish(key);
      assert.is(secondAnswer.status, 202);
      assert.is((await bench.read(secondAnswer.body.approval.requestId)).supersedes, id);
    });
  }

  test('asking for changes needs a comment, and approving needs the content hash', async () => {
    const { id } = await pending();
    const silent = await bench.decide(id, { decision: 'request_changes' });
    assert.equal([silent.status, silent.body.error.details[0].path], [422, 'comment']);
    const blind = await bench.decide(id, { decision: 'approve' });
    assert.equal([blind.status, blind.body.error.details[0].path], [422, 'contentHash']);
    const wrong = await bench.decide(id, { decision: 'approve', contentHash: 'seen-before' });
    assert.equal(refusal(wrong), [409, 'content_changed']);
    assert.match(wrong.body.error.message, `Read the request again: GET /v1/approvals/requests/${id}.`);
    assert.not.ok(
      JSON.stringify(wrong.body).includes((await bench.read(id)).contentHash),
      'an approval without the content hash',
    );
  });

  test('a pending request can be withdrawn by the requester, or by anybody who may decide', async () => {
    const ownRequest = await pending();
    const { body } = await bench.withdraw(ownRequest.id, 'ada', { note: 'A typo' });
    assert.equal([body.status, body.reason], ['withdrawn', 'A typo']);
    const otherRequest = await pending();
    const stranger = await bench.keyFor(['u_dan'], ['approvals:submit']);
    const path = `/v1/approvals/requests/${otherRequest.id}/withdraw`;
    assert.equal(refusal(await bench.send(stranger.secret, path, {})), [403, 'insufficient_scope']);
    assert.is((await bench.withdraw(otherRequest.id, 'cal')).status, 200);
    assert.is(
      (await bench.publish(otherRequest.key)).status,
      202,
      'an unchanged target may be submitted again after a withdrawal',
    );
  });

  test('a pending request is withdrawn in the same transaction if its content changes', async () => {
    const { key, id } = await pending();
    await bench.edit(key, { name: 'Another name' });
    await bench.edit(key, { subject: 'Second' });
    assert.equal(await statusOf(id), ['pending', null], 'the content did not change');
    const decided = bench.approve(id);
    await bench.edit(key, { subject: 'Third' });
    await decided;
    await bench.drain();
    const template = await bench.template(key);
    // In both orders the edit was not approved, so it is not public.
    const versions = (await bench.request(`/v1/templates/${key}/versions`)).body.data;
    assert.not(versions.some(({ subject }: { subject: string }) => subject === 'Third'));
    assert.is(template.subject, 'Third');
  });

  test('an edit between the request and the decision withdraws it', async () => {
    const { key, id } = await pending();
    const { contentHash } = await bench.read(id);
    await bench.edit(key, { subject: 'Third' });
    assert.equal(await statusOf(id), ['withdrawn', 'content_changed']);
    assert.equal(refusal(await bench.decide(id, { decision: 'approve', contentHash })), [409, 'state_conflict']);
  });

  test('a pending request is withdrawn if its template is archived, or if the layout is published again', async () => {
    const archivedRequest = await pending();
    await bench.service.as(bench.workspaceId).templates.archive({ key: archivedRequest.key });
    assert.equal(await statusOf(archivedRequest.id), ['withdrawn', 'content_changed']);
    const program = bench.service.as(bench.workspaceId).templates;
    await program.create({ key: 'frame', kind: 'layout', mode: 'html', body: '<div>{% content %}</div>' });
    await program.publish({ key: 'frame' });
    const layoutRequest = await pending();
    await bench.edit(layoutRequest.key, { layout: 'frame' });
    const { body } = await bench.publish(layoutRequest.key);
    await program.update({ key: 'frame', body: '<main>{% content %}</main>' });
    await program.publish({ key: 'frame' });
    assert.equal(await statusOf(body.approval.requestId), ['withdrawn', 'content_changed']);
  });

  test('a pending request expires', async () => {
    await bench.policy({ required: true, expiresAfterHours: 2 });
    const { key, id } = await pending();
    const { contentHash } = await bench.read(id);
    bench.advanceClock(2 * hour);
    assert.equal(refusal(await bench.decide(id, { decision: 'approve', contentHash })), [409, 'state_conflict']);
    await bench.drain();
    assert.equal(await statusOf(id), ['expired', null]);
    assert.is((await bench.publish(key)).status, 202);
  });

  test('the requester cannot decide: neither the key nor the member', async () => {
    const { id } = await pending();
    assert.equal(refusal(await bench.approve(id, 'ada')), [403, 'self_approval']);
    const second = await bench.keyFor(['u_ada']);
    const path = `/v1/approvals/pending/${id}/decide`;
    assert.equal(refusal(await bench.send(second.secret, path, { decision: 'reject' })), [403, 'self_approval']);
  });

  test('if the request of a key with several members names no member, none of these members can decide', async () => {
    const sharedKey = await bench.keyFor(['u_ada', 'u_bea']);
    await bench.edited('shared');
    const { body } = await bench.send(sharedKey.secret, '/v1/templates/shared/publish', {});
    const { requestId } = body.approval;
    assert.equal((await bench.read(requestId)).submittedBy, { uid: null, keyId: sharedKey.id });
    assert.equal(refusal(await bench.approve(requestId, 'bea')), [403, 'self_approval']);
    assert.is((await bench.approve(requestId, 'cal')).status, 200);
  });

  test('only reviewers decide, and only members', async () => {
    await bench.policy({ required: true, reviewers: ['u_cal'] });
    const { id } = await pending();
    assert.equal(refusal(await bench.approve(id, 'bea')), [403, 'not_reviewer']);
    bench.setMembers((members) => members.filter(({ uid }) => uid !== 'u_cal'));
    assert.equal(refusal(await bench.approve(id, 'cal')), [403, 'not_reviewer']);
    bench.setMembers((members) => [...members]);
    assert.is((await bench.approve(id, 'cal')).status, 200);
  });

  test('the pending list shows the oldest first, and with mine=true only requests that the member may decide', async () => {
    const first = await pending();
    bench.advanceClock(1_000);
    const second = await pending();
    const ids = async (query: string, key: string = bench.keys.bea.secret) =>
      (await bench.request(`/v1/approvals/pending${query}`, { key })).body.data.map(
        ({ requestId }: { requestId: string }) => requestId,
      );
    assert.equal(await ids(''), [first.id, second.id]);
    assert.equal(await ids('?mine=true'), [first.id, second.id]);
    assert.equal(await ids('?mine=true', bench.keys.ada.secret), []);
    const { body } = await bench.request('/v1/approvals/pending?limit=1');
    const secondPage = await bench.request(`/v1/approvals/pending?limit=1&cursor=${body.next_cursor}`);
    assert.equal([body.data[0].requestId, secondPage.body.data[0].requestId], [first.id, second.id]);
    assert.is(secondPage.body.next_cursor, null);
  });

  test('the audit entry names the member and the decision, never the comment', async () => {
    const { id } = await pending();
    await bench.decide(id, { decision: 'reject', comment: 'Not like this' });
    const { body } = await bench.request('/v1/audit?action=approval.decide');
    assert.equal(body.data[0].metadata, { uid: 'u_bea', decision: 'reject' });
    assert.not.match(JSON.stringify(body.data), /Not like this/);
  });
});
