// time-limit: 240
// Publishing sequences under an approval policy: requests wait, decisions are carried out, and changes withdraw the requests.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const mark = (id: string) => ({ id, kind: 'update_contact', attributes: { [id]: true } }) as const;

await twoDatabases('approving sequences', (test, database) => {
  let bench: ApprovalsBench;
  let created = 0;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    await bench.policy({ required: true }, 'sequence');
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const draft = async (nodes: readonly object[] = [mark('one')]): Promise<string> => {
    created += 1;
    const { body } = await bench.by('ada', '/v1/sequences', { key: `s-${created}`, name: 'Welcome', nodes });
    return body.key;
  };
  const publish = (key: string) => bench.by('ada', `/v1/sequences/${key}/publish`);
  const edit = (key: string, body: object) => bench.by('ada', `/v1/sequences/${key}`, body, { method: 'PATCH' });
  const statusOf = async (requestId: string) => {
    const { status, reason } = await bench.read(requestId);
    return [status, reason];
  };

  test("a held publish waits for another member's approval and is then carried out for the requester", async () => {
    const key = await draft();
    const heldAnswer = await publish(key);
    const { approval } = heldAnswer.body;
    assert.equal([heldAnswer.status, heldAnswer.body.status, heldAnswer.body.version], [202, 'draft', 0]);
    assert.equal((await calls().sequences.read({ keyOrId: key })).approval, approval);
    const { data } = await calls().sequences.list({ status: 'draft' });
    assert.equal(data[0]?.approval, approval);
    assert.is((await publish(key)).status, 409, 'a sequence has one request');
    const ownDecision = await bench.approve(approval.requestId, 'ada');
    assert.equal([ownDecision.status, ownDecision.body.error.code], [403, 'self_approval']);
    assert.is((await bench.approve(approval.requestId)).status, 200);
    await bench.drain();
    const after = await calls().sequences.read({ keyOrId: key });
    assert.equal([after.status, after.version, after.draft, after.approval], ['published', 1, false, null]);
    assert.equal(after.publishedBy, { keyId: bench.keys.ada.id, member: 'u_ada' });
    assert.is((await bench.read(approval.requestId)).execution.status, 'done');
    const { runId } = await calls().sequences.enroll({ keyOrId: key, contact: { email: 'cy@example.org' } });
    await bench.drain();
    assert.is((await calls().sequences.runRead({ runId })).status, 'completed');
  });

  test('an edit, a publish by the program and an archive withdraw the request, but a new name does not', async () => {
    const key = await draft();
    const ask = async () => (await publish(key)).body.approval.requestId;
    const first = await ask();
    await edit(key, { name: 'Another name' });
    assert.is((await bench.read(first)).status, 'pending');
    await edit(key, { nodes: [mark('two')] });
    assert.equal(await statusOf(first), ['withdrawn', 'content_changed']);
    const second = await ask();
    await calls().sequences.publish({ keyOrId: key });
    assert.equal(await statusOf(second), ['withdrawn', 'content_changed']);
    await edit(key, { nodes: [mark('three')] });
    const third = await ask();
    const { diff } = await bench.read(third);
    assert.ok(diff.some(({ path }: { path: string }) => path.startsWith('nodes')));
    await calls().sequences.archive({ keyOrId: key });
    assert.equal(await statusOf(third), ['withdrawn', 'content_changed']);
  });

  test('publishing a sequence whose templates wait for approval names their requests', async () => {
    await bench.policy({ required: true }, 'email_template');
    for (const template of ['waits', 'works'])
      await bench.by('ada', '/v1/templates', { key: template, mode: 'html', subject: 'Hi', body: '<p>Hi</p>' });
    const { requestId } = (await bench.by('ada', '/v1/templates/waits/publish')).body.approval;
    const mail = (id: string, templateKey: string) => ({ id, kind: 'send_email', templateKey, variables: {} });
    const key = await draft([mail('one', 'waits')]);
    const alone = await publish(key);
    assert.equal([alone.status, alone.body.error.code], [422, 'sequence_invalid']);
    const waits = `one: the template waits is not published: it waits for approval ${requestId}. Track it with GET /v1/approvals/requests/${requestId}.`;
    assert.is(alone.body.error.message, `The sequence ${key} has a fault: ${waits}`);
    await edit(key, {
      nodes: [mail('one', 'waits'), mail('two', 'works')],
      edges: [{ from: 'one', when: 'next', to: 'two' }],
    });
    const { details } = (await publish(key)).body.error;
    assert.equal(
      details.map(({ message }: { message: string }) => message),
      [waits, 'two: the template works is not published. Publish it first: POST /v1/templates/works/publish.'],
    );
  });

  test('a new version of a template that the sequence sends withdraws the request', async () => {
    for (const template of ['sent', 'other']) {
      await bench.edited(template);
      await calls().templates.publish({ key: template });
    }
    const key = await draft([{ id: 'greet', kind: 'send_email', templateKey: 'sent', variables: {} }]);
    const { requestId } = (await publish(key)).body.approval;
    const publishAgain = async (template: string) => {
      await bench.edit(template, { subject: 'Third' });
      await calls().templates.publish({ key: template });
    };
    await publishAgain('other');
    assert.is((await bench.read(requestId)).status, 'pending');
    await publishAgain('sent');
    assert.equal(await statusOf(requestId), ['withdrawn', 'content_changed']);
  });

  test('an invalid sequence is refused before it waits, and another key can publish approved content', async () => {
    const empty = await draft([]);
    const refusal = await publish(empty);
    assert.equal([refusal.status, refusal.body.error.code], [422, 'sequence_invalid']);
    const key = await draft();
    const { id } = await calls().sequences.read({ keyOrId: key });
    const request = await bench.by('ada', '/v1/approvals/requests', { surfaceKind: 'sequence', targetId: key });
    assert.equal([request.status, request.body.target.id], [201, id], 'the key can be used instead of the id');
    await bench.approve(request.body.requestId);
    const publication = await bench.by('cal', `/v1/sequences/${key}/publish`);
    assert.equal([publication.status, publication.body.version], [200, 1]);
    await edit(key, { nodes: [mark('two')] });
    assert.is(
      (await bench.by('cal', `/v1/sequences/${key}/publish`)).status,
      202,
      'an approval is valid for one publish',
    );
  });

  test('new wording of an SMS in the sequence withdraws the request, and the approval does not cover this wording', async () => {
    const { sms } = bench.service;
    const key = await draft([
      { id: 'text', kind: 'send_sms', templateKey: 'account_alert', variables: { message: 'Hi' }, to: '+14155550123' },
    ]);
    const first = await publish(key);
    assert.is(first.status, 202, JSON.stringify(first.body));
    await sms.setWording(bench.workspaceId, 'auth_login_code', { body: 'Code {{ code }}' });
    assert.is(
      (await bench.read(first.body.approval.requestId)).status,
      'pending',
      'the sequence does not send this SMS',
    );
    await sms.setWording(bench.workspaceId, 'account_alert', { body: 'Buy now: {{ message }}' });
    assert.equal(await statusOf(first.body.approval.requestId), ['withdrawn', 'content_changed']);

    const { id } = await calls().sequences.read({ keyOrId: key });
    const request = await bench.by('ada', '/v1/approvals/requests', { surfaceKind: 'sequence', targetId: id });
    assert.is((await bench.approve(request.body.requestId)).status, 200);
    await sms.setWording(bench.workspaceId, 'account_alert', { body: 'Buy twice: {{ message }}' });
    assert.is((await publish(key)).status, 202, 'another text needs another approval');
    await sms.setWording(bench.workspaceId, 'account_alert', { body: 'Buy now: {{ message }}' });
    assert.is((await publish(key)).status, 200);
  });
});
