// time-limit: 240
// Attempts to bypass a decision: from the other side of the workspace, as another member of the same key, and with two calls at
// once for one approval.
// full-run: slow
import * as assert from 'uvu/assert';
import { findTemplate, updateTemplate } from '../../plugins/templates/store.ts';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('attempts to bypass approvals', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    await bench.policy({ required: true });
  });
  test.after.each(() => bench.close());

  const refusal = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('a sandbox key cannot reach live requests, and its own approval has no effect on live publishing', async () => {
    const id = await bench.edited('sides');
    const tester = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'tester',
      mode: 'test',
      preset: 'full',
      members: ['u_bea'],
    });
    const target = { surfaceKind: 'email_template', targetId: id };
    const { body: request } = await bench.send(tester.secret, '/v1/approvals/requests', target);
    assert.is(request.sandbox, true);
    const decidePath = `/v1/approvals/pending/${request.requestId}/decide`;
    assert.equal(refusal(await bench.by('cal', decidePath, { decision: 'reject' })), [404, 'approval_not_found']);
    const program = bench.service.as(bench.workspaceId, { member: 'u_cal', sandbox: true });
    const { contentHash, requestId } = request;
    assert.is((await program.approvals.decide({ requestId, decision: 'approve', contentHash })).status, 'approved');
    const heldAnswer = await bench.publish('sides');
    assert.is(heldAnswer.status, 202, 'an approval in the sandbox does not count on the live side');
    const live = heldAnswer.body.approval.requestId;
    for (const path of [`/v1/approvals/pending/${live}/decide`, `/v1/approvals/requests/${live}/withdraw`])
      assert.equal(
        refusal(await bench.send(tester.secret, path, path.endsWith('decide') ? { decision: 'reject' } : {})),
        [404, 'approval_not_found'],
      );
  });

  test('a key that submitted a request as one of its members cannot decide it as another member', async () => {
    const id = await bench.edited('other');
    const sharedKey = await bench.keyFor(['u_ada', 'u_bea']);
    const { body } = await bench.send(sharedKey.secret, '/v1/approvals/requests', {
      surfaceKind: 'email_template',
      targetId: id,
      actingAsMemberUid: 'u_ada',
    });
    assert.equal(body.submittedBy, { uid: 'u_ada', keyId: sharedKey.id });
    const path = `/v1/approvals/pending/${body.requestId}/decide`;
    const approve = { decision: 'approve' as const, contentHash: body.contentHash };
    for (const actingAsMemberUid of ['u_bea', 'u_ada'])
      assert.equal(refusal(await bench.send(sharedKey.secret, path, { ...approve, actingAsMemberUid })), [
        403,
        'self_approval',
      ]);
    const program = bench.service.as(bench.workspaceId, { member: 'u_ada' }).approvals;
    const code = await program.decide({ requestId: body.requestId, ...approve }).catch((error) => error.code);
    assert.is(code, 'self_approval');
    assert.is(
      (await bench.approve(body.requestId, 'bea')).status,
      200,
      'the other member can decide with a key of their own',
    );
  });

  test('under a policy, a published template refuses changes of settings that would change live mail immediately', async () => {
    await bench.edited('settings');
    const trackingChange = { tracking: { opens: true, clicks: false } };
    for (const change of [{ category: 'marketing' }, { delivery: 'at-most-once' }, trackingChange]) {
      const answer = await bench.edit('settings', change);
      assert.equal(refusal(answer), [409, 'state_conflict'], JSON.stringify(change));
      assert.match(answer.body.error.message, /would change live mail at once/);
    }
    const renamed = await bench.edit('settings', { name: 'Anew', category: 'transactional' });
    assert.equal([renamed.status, renamed.body.name], [200, 'Anew'], 'a change of the name alone is accepted');
    const program = bench.service.as(bench.workspaceId).templates;
    await bench.policy({ required: true, appliesTo: 'agents' });
    assert.is((await program.update({ key: 'settings', delivery: 'at-most-once' })).delivery, 'at-most-once');
  });

  test('the settings of a template that was never published are part of the approved content', async () => {
    const draft = {
      key: 'first',
      mode: 'html',
      category: 'marketing',
      subject: 'Hi',
      body: '<p>Hi <a href="%unsubscribe_url%">Leave</a></p>',
    };
    assert.is((await bench.by('ada', '/v1/templates', draft)).status, 201);
    const heldAnswer = await bench.publish('first');
    const { requestId } = heldAnswer.body.approval;
    assert.is((await bench.edit('first', { name: 'Anew' })).status, 200);
    assert.is((await bench.read(requestId)).status, 'pending', 'a new name needs no approval');
    assert.is((await bench.edit('first', { category: 'transactional' })).status, 200);
    assert.equal((await bench.read(requestId)).status, 'withdrawn');

    // An unused approval covers only the settings that the approver saw.
    const { id } = await bench.template('first');
    const { body: submitted } = await bench.submit(id);
    assert.is((await bench.approve(submitted.requestId)).status, 200);
    for (const change of [
      { category: 'marketing' },
      { category: 'transactional', delivery: 'at-most-once' },
      { delivery: 'at-least-once', tracking: { opens: false, clicks: true } },
    ]) {
      assert.is((await bench.edit('first', change)).status, 200);
      const { status, body } = await bench.publish('first');
      assert.equal([status, body.version], [202, 0], JSON.stringify(change));
    }
    assert.is((await bench.edit('first', { tracking: { opens: true, clicks: true } })).status, 200);
    const { status, body } = await bench.publish('first');
    assert.equal([status, body.version], [200, 1], 'the approved change passes');
  });

  test('a change writes nothing if the row on which it is based was published or changed meanwhile', async () => {
    await bench.edited('meanwhile');
    const database = await bench.service.core.database();
    const read = () => database.read(bench.workspaceId, (handle) => findTemplate(handle, 'meanwhile'));
    const oldRow = await read();
    assert.ok(oldRow);
    const change = (row: typeof oldRow) =>
      database.transact((scope) => updateTemplate(scope.handle(bench.workspaceId), row, { name: 'Anew' }));
    assert.is(await change({ ...oldRow, version: 0 }), false, 'the version changed meanwhile');
    const newValues = { category: 'marketing', delivery: 'at-most-once', track_opens: 1, track_clicks: 1 } as const;
    for (const [column, value] of Object.entries(newValues))
      assert.is(await change({ ...oldRow, [column]: value }), false, column);
    assert.is(await change(oldRow), true);
  });

  test('if two calls run at the same time, only one uses the approval', async () => {
    const id = await bench.edited('race');
    const { body } = await bench.submit(id);
    await bench.approve(body.requestId);
    const answers = await Promise.all([bench.publish('race', 'ada'), bench.publish('race', 'cal')]);
    const successes = answers.filter(({ status }) => status === 200);
    assert.is(successes.length, 1, JSON.stringify(answers.map(({ status }) => status)));
    const { body: versions } = await bench.request('/v1/templates/race/versions');
    assert.is(versions.data.length, 2);
  });

  test('if the job and a call run at the same time, the approved call is carried out once', async () => {
    await bench.edited('twice');
    const { body } = await bench.publish('twice');
    await bench.approve(body.approval.requestId);
    await Promise.all([bench.publish('twice', 'cal'), bench.drain()]);
    await bench.drain();
    const { body: versions } = await bench.request('/v1/templates/twice/versions');
    assert.is(versions.data.length, 2);
    assert.is((await bench.read(body.approval.requestId)).execution.status, 'done');
  });

  test('an approved call fails if its key expired before the decision', async () => {
    await bench.edited('expired');
    const brief = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'brief',
      preset: 'full',
      members: ['u_ada'],
      expiresAt: new Date(bench.now() + 3_600_000),
    });
    const { body } = await bench.send(brief.secret, '/v1/templates/expired/publish', {});
    bench.advanceClock(2 * 3_600_000);
    await bench.approve(body.approval.requestId);
    await bench.drain();
    const { execution } = await bench.read(body.approval.requestId);
    assert.equal([execution.status, execution.error], ['failed', 'invalid_api_key']);
    assert.is((await bench.template('expired')).version, 1);
  });

  test('long differences are cut between two characters, and an approval has at most 100 of them', async () => {
    const id = await bench.edited('long');
    const locales = Object.fromEntries(
      ['de', 'fr', 'es'].map((tag) => [tag, { subject: `In ${tag}`, body: `<p>${tag}</p>` }]),
    );
    assert.is((await bench.edit('long', { body: `<p>${'ü😀'.repeat(3_000)}</p>`, locales })).status, 200);
    const { body } = await bench.submit(id);
    const change = body.diff.find(({ path }: { path: string }) => path === 'body');
    assert.ok(change.after.length <= 2_000, `${change.after.length}`);
    assert.ok(change.after.isWellFormed(), 'a character was cut in half');
    assert.equal(body.diff.map(({ path }: { path: string }) => path).sort(), [
      'body',
      'locales.de',
      'locales.es',
      'locales.fr',
      'subject',
    ]);
  });
});
