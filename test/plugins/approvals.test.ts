// time-limit: 240
// Held calls: which calls are held, what each interface returns, and what happens after the approval.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;

await twoDatabases('approvals', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
  });
  test.after.each(() => bench.close());

  const held = async (key: string): Promise<string> => {
    const { status, body } = await bench.publish(key);
    assert.is(status, 202);
    return body.approval.requestId;
  };

  test('without a policy no call is held', async () => {
    await bench.edited('free');
    const { status, body } = await bench.publish('free');
    assert.is(status, 200);
    assert.is(body.version, 2);
    assert.is(body.approval, null);
    const { body: listed } = await bench.request('/v1/approvals/requests');
    assert.equal(listed.data, []);
  });

  test('a held call returns 202 with its usual body, and changes nothing', async () => {
    await bench.edited('held');
    await bench.policy({ required: true });
    const before = await bench.template('held');
    const { status, body } = await bench.publish('held');
    assert.is(status, 202);
    const { approval, ...rest } = body;
    assert.equal({ ...rest, approval: null }, before);
    assert.is(approval.status, 'pending');
    assert.equal((await bench.template('held')).approval, approval);
    const request = await bench.read(approval.requestId);
    assert.is(request.status, 'pending');
    assert.equal(request.target, { kind: 'template', id: before.id });
    assert.equal(request.transition, { operation: 'templates.publish', input: { key: 'held' } });
    assert.equal(request.diff, [{ path: 'subject', before: 'First', after: 'Second' }]);
    assert.equal(request.submittedBy, { uid: 'u_ada', keyId: bench.keys.ada.id });
    assert.equal(request.rule, { minApprovals: 1, reviewers: [] });
    assert.is(request.summary, 'Publish a template: held.');
    assert.is(Date.parse(request.expiresAt) - Date.parse(request.createdAt), 7 * day);
    assert.equal(await bench.events('approval.requested'), [request]);
    const { body: audit } = await bench.request('/v1/audit?action=approval.submit');
    assert.is(audit.data[0].metadata.approval, approval.requestId);
  });

  test('the tool and the typed call return the same', async () => {
    await bench.edited('doors');
    await bench.policy({ required: true });
    const tool = await bench.tool(bench.keys.ada.secret, 'publish_template', { key: 'doors' });
    const { requestId } = tool.structuredContent.approval;
    assert.equal(tool.structuredContent, await bench.template('doors'));
    assert.is(
      tool.content[0].text,
      `Not carried out: it waits for approval ${requestId}. Track it with read_approval (requestId: ${requestId}). Do not repeat the call: it runs after the approval. The following JSON shows the state until then.`,
    );
    assert.equal(JSON.parse(tool.content[1].text), tool.structuredContent);
    await bench.withdraw(requestId);
    const answer = await bench.tool(bench.keys.ada.secret, 'publish_template', { key: 'doors', note: 'For spring' });
    const { requestId: notedId } = answer.structuredContent.approval;
    assert.is((await bench.read(notedId)).note, 'For spring');
    await bench.withdraw(notedId);
    const dry = await bench.tool(bench.keys.ada.secret, 'publish_template', { key: 'doors', dry_run: true });
    assert.match(
      dry.content[0].text,
      /would wait for an approval, and run only after it\. It would immediately cause the event approval\.requested\. After the approval, it would cost nothing\./,
    );
    const typedAnswer = await bench.service
      .as(bench.workspaceId, { member: 'u_ada' })
      .templates.publish({ key: 'doors' });
    if (typedAnswer.approval === null) throw new Error('The call was not held.');
    assert.is((await bench.read(typedAnswer.approval.requestId)).submittedBy.uid, 'u_ada');
  });

  test("a policy for agents holds calls of tools and of agents' keys, but no policy holds calls of a program without a member", async () => {
    await bench.edited('agents');
    await bench.policy({ required: true, appliesTo: 'agents' });
    assert.is((await bench.publish('agents')).status, 200);
    const tool = await bench.tool(bench.keys.ada.secret, 'publish_template', { key: 'agents' });
    assert.is(tool.structuredContent.approval.status, 'pending');
    const { secret } = await bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'An agent',
      mode: 'mcp',
      preset: 'full',
    });
    await bench.edited('shell');
    const overRest = await bench.request('/v1/templates/shell/publish', { body: {}, key: secret });
    assert.is(overRest.status, 202, "the call with the agent's key over REST is held");
    const published = await bench.service.as(bench.workspaceId).templates.publish({ key: 'agents' });
    assert.is(published.version, 3);
    // The program published another version, so the request is withdrawn.
    const { data } = (await bench.request('/v1/approvals/requests')).body;
    const request = data.find(({ summary }: { summary: string }) => summary.includes('agents'));
    assert.equal([request.status, request.reason], ['withdrawn', 'content_changed']);
  });

  test('a call is validated before it is held', async () => {
    await bench.edited('checks');
    await bench.policy({ required: true });
    await bench.edit('checks', { body: '<p>{{ name | nonsense }}</p>' });
    assert.is((await bench.publish('checks')).status, 422);
    await bench.edit('checks', { body: '<p>{{ wanted }}</p>' });
    const breaking = await bench.publish('checks');
    assert.is(breaking.body.error.code, 'contract_breaking');
    assert.equal((await bench.request('/v1/approvals/pending')).body.data, []);
  });

  test('a second held call for the same target is refused with the id of the first request', async () => {
    const id = await bench.edited('second');
    await bench.policy({ required: true });
    const first = await held('second');
    for (const refusal of [await bench.publish('second', 'bea'), await bench.submit(id)]) {
      assert.is(refusal.body.error.code, 'state_conflict');
      assert.match(refusal.body.error.message, `POST /v1/approvals/requests/${first}/withdraw`);
    }
    const proposal = await bench.tool(bench.keys.bea.secret, 'propose_template_change', {
      key: 'second',
      subject: 'x',
    });
    const { message } = proposal.structuredContent.error;
    assert.match(
      message,
      new RegExp(`read_approval \\(requestId: ${first}\\).*withdraw_approval \\(requestId: ${first}\\)`),
    );
  });

  test('an approved call runs once, in the name of its requester', async () => {
    await bench.edited('runs');
    await bench.policy({ required: true });
    const requestId = await held('runs');
    const decided = await bench.approve(requestId);
    assert.is(decided.status, 200);
    assert.equal(decided.body.execution, { status: 'waiting', at: null, error: null });
    assert.is((await bench.template('runs')).version, 1);
    await bench.drain();
    await bench.drain();
    const template = await bench.template('runs');
    assert.equal([template.version, template.draft], [2, false]);
    const request = await bench.read(requestId);
    assert.is(request.execution.status, 'done');
    const { body } = await bench.request('/v1/audit?action=template.publish');
    const [entry] = body.data;
    assert.is(entry.actor.key_id, bench.keys.ada.id);
    assert.is(entry.metadata.approved_by, 'u_bea');
    assert.is(entry.metadata.approval, requestId);
  });

  test('a repeated call returns the stored 202, even after the decision', async () => {
    await bench.edited('again');
    await bench.policy({ required: true });
    const headers = { 'idempotency-key': 'once' };
    const first = await bench.by('ada', '/v1/templates/again/publish', {}, { headers });
    await bench.approve(first.body.approval.requestId);
    await bench.drain();
    const repeated = await bench.by('ada', '/v1/templates/again/publish', {}, { headers });
    assert.equal([repeated.status, repeated.body], [202, first.body]);
    assert.is(repeated.headers['idempotent-replay'] ?? repeated.headers['Idempotent-Replay'], 'true');
    assert.is((await bench.template('again')).version, 2);
  });

  test('a dry run returns the 202 and its event, but stores nothing', async () => {
    await bench.edited('dry');
    await bench.policy({ required: true });
    const { status, body, headers } = await bench.by(
      'ada',
      '/v1/templates/dry/publish',
      {},
      { headers: { 'dry-run': 'true' } },
    );
    assert.is(status, 202);
    assert.is(body.approval.status, 'pending');
    const lowerCased = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    assert.match(lowerCased['dry-run-events'] ?? '', 'approval.requested');
    assert.equal((await bench.request('/v1/approvals/requests')).body.data, []);
  });

  test('a rollback is held until somebody approves the content of its version', async () => {
    await bench.edited('back');
    await bench.service.as(bench.workspaceId).templates.publish({ key: 'back' });
    await bench.policy({ required: true });
    const { status, body } = await bench.by('ada', '/v1/templates/back/rollback', { version: 1 });
    assert.is(status, 202);
    const { requestId } = body.approval;
    assert.equal((await bench.read(requestId)).diff, [{ path: 'subject', before: 'Second', after: 'First' }]);
    await bench.approve(requestId);
    await bench.drain();
    const template = await bench.template('back');
    assert.equal([template.version, template.subject], [3, 'First']);
  });

  test('a key without the publish scope can submit; another key can then publish exactly the approved content, once', async () => {
    const id = await bench.edited('author');
    await bench.policy({ required: true });
    const author = await bench.keyFor(['u_cal'], ['approvals:submit']);
    const { body: request } = await bench.send(author.secret, '/v1/approvals/requests', {
      surfaceKind: 'email_template',
      targetId: id,
      note: 'Please',
    });
    assert.equal([request.transition, request.note, request.submittedBy.uid], [null, 'Please', 'u_cal']);
    await bench.approve(request.requestId);
    assert.is((await bench.publish('author')).status, 200);
    assert.is((await bench.read(request.requestId)).execution.status, 'done');
    assert.is((await bench.publish('author')).status, 202, 'the approval was already used');
  });

  test('content other than the approved content is held again', async () => {
    const id = await bench.edited('other');
    await bench.policy({ required: true });
    const { body: request } = await bench.submit(id);
    await bench.approve(request.requestId);
    await bench.edit('other', { subject: 'Third' });
    assert.is((await bench.publish('other')).status, 202);
  });

  test('a submission can name a template by its key', async () => {
    const id = await bench.edited('spring');
    const { status, body } = await bench.submit('spring');
    assert.equal([status, body.target.id], [201, id]);
    assert.match(
      (await bench.submit('summer')).body.error.message,
      'There is no template summer that could be published.',
    );
  });

  test('content that is already public cannot be submitted', async () => {
    const id = await bench.edited('public');
    assert.is((await bench.publish('public')).status, 200);
    const { status, body } = await bench.submit(id);
    assert.equal([status, body.error.code], [409, 'state_conflict']);
    assert.match(body.error.message, 'is already public with this content');
    await bench.edit('public', { subject: 'Another' });
    assert.is((await bench.submit(id)).status, 201);
  });

  test('a target of another workspace is not found', async () => {
    const foreign = await bench.service
      .as(bench.foreignWorkspaceId)
      .templates.create({ key: 'foreign', mode: 'html', subject: 'Hi', body: '<p>Hi</p>' });
    const { status, body } = await bench.submit(foreign.data.id);
    assert.is(status, 422);
    assert.is(body.error.details[0].path, 'targetId');
  });

  test('at most 500 requests of a workspace can be pending, including requests of its sandbox', async () => {
    const id = await bench.edited('full');
    const { insertPendingRequests: fixtureRequests } = await import('../support/approval-rows.ts');
    await fixtureRequests(bench, 300);
    await fixtureRequests(bench, 200, true);
    const { status, body } = await bench.submit(id);
    assert.equal([status, body.error.code], [409, 'limit_reached']);
  });
});
