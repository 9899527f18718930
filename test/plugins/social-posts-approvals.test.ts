// time-limit: 240
// Posts that need an approval: which calls are held, the effect of the decision, and the state of the post after it.
// full-run: slow
import * as assert from 'uvu/assert';
import { insertPendingRequests } from '../support/approval-rows.ts';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;

await twoDatabases('approvals of social posts', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    const { service, workspaceId } = bench;
    for (const provider of ['x', 'bluesky'])
      await service.connectors.create(workspaceId, { kind: 'social', provider, name: provider, credentials: {} });
    await service.as(workspaceId).social.networksRefresh();
    await bench.policy({ required: true }, 'social_post');
  });
  test.after.each(() => bench.close());

  const at = (ms: number): string => new Date(bench.now() + ms).toISOString();
  const create = (body: object = {}) =>
    bench.by('ada', '/v1/social/posts', { channels: ['x'], caption: 'See https://example.com', ...body });
  const publish = (id: string, body: object = {}) => bench.by('ada', `/v1/social/posts/${id}/publish`, body);
  const schedule = (id: string, scheduledAt: string) =>
    bench.by('ada', `/v1/social/posts/${id}/schedule`, { scheduledAt });
  const post = async (id: string) => (await bench.request(`/v1/social/posts/${id}`)).body;
  const credits = async () => (await bench.request('/v1/workspace')).body.usage.credits_balance;
  const expectHeld = async (answer: { status: number; body: { id: string; approval: { requestId: string } } }) => {
    assert.is(answer.status, 202, JSON.stringify(answer.body));
    return { id: answer.body.id, requestId: answer.body.approval.requestId };
  };

  test('a draft needs no approval', async () => {
    const { status, body } = await create();
    assert.equal([status, body.status, body.approval], [201, 'ready', null]);
  });

  test('a new post that would be published waits without reserved credits, and is published after its approval', async () => {
    const before = await credits();
    const answer = await create({ publish: true });
    const { id, requestId } = await expectHeld(answer);
    const waiting = await post(id);
    assert.equal(answer.body, waiting);
    assert.equal([waiting.status, waiting.approval], ['pending_approval', { requestId, status: 'pending' }]);
    assert.is(await credits(), before);
    const request = await bench.read(requestId);
    assert.equal(request.target, { kind: 'post', id });
    assert.equal(request.transition.operation, 'social.post_create');
    assert.match(request.summary, 'See https://example.com');
    const args = { channels: ['x'], caption: 'Two', publish: true };
    const [content] = (await bench.tool(bench.keys.ada.secret, 'create_social_post', args)).content;
    assert.match(
      content.text,
      /^Stored as soc_\w+, not published: it waits for approval apr_.*would store another one\./,
    );
    const [dry] = (await bench.tool(bench.keys.ada.secret, 'create_social_post', { ...args, dry_run: true })).content;
    assert.match(
      dry.text,
      /would be stored, and wait for an approval before anything is published\. It would immediately cause the events social\.post\.created, approval\.requested\. After the approval, it would cost 1 credit\./,
    );
    await bench.approve(requestId);
    await bench.drain();
    const live = await post(id);
    assert.equal([live.status, live.approval, live.credits], ['published', null, { price: 4, charged: 4 }]);
    assert.is(before - (await credits()), 4);
    assert.is((await bench.read(requestId)).execution.status, 'done');
    assert.is((await bench.request('/v1/social/posts?status=published')).body.data.length, 1);
    assert.is((await bench.events('social.post.created')).length, 2);
    const { data } = (await bench.request('/v1/audit?action=social.post.create')).body;
    assert.is(data[0].metadata.approved_by, 'u_bea');
  });

  test('schedule and publish are both held', async () => {
    const first = (await create()).body.id;
    const scheduleRequest = await expectHeld(await schedule(first, at(day)));
    assert.is((await post(first)).scheduledAt, at(day));
    await bench.approve(scheduleRequest.requestId);
    await bench.drain();
    assert.is((await post(first)).status, 'scheduled');
    assert.is((await bench.events('social.post.scheduled')).length, 1);
    const publishRequest = await expectHeld(await publish(first));
    const waiting = await post(first);
    assert.equal([waiting.status, waiting.scheduledAt], ['pending_approval', null]);
    await bench.approve(publishRequest.requestId);
    await bench.drain();
    assert.is((await post(first)).status, 'published');
  });

  test('a scheduled post with a new time waits for approval, and its old time and reserved credits are released', async () => {
    await bench.policy({ required: false }, 'social_post');
    const { id } = (await create({ scheduleAt: at(day) })).body;
    const before = (await credits()) + (await post(id)).credits.price;
    await bench.policy({ required: true }, 'social_post');
    const turnedDown = await expectHeld(await schedule(id, at(3 * day)));
    assert.equal([(await post(id)).status, await credits()], ['pending_approval', before]);
    bench.advanceClock(day);
    await bench.drain();
    assert.is((await post(id)).status, 'pending_approval');
    await bench.decide(turnedDown.requestId, { decision: 'request_changes', comment: 'Sooner' });
    assert.equal([(await post(id)).status, (await post(id)).scheduledAt], ['ready', null]);
  });

  test('if the request of a post is rejected, withdrawn or expires, the post is ready again and not scheduled', async () => {
    const ends: ((requestId: string) => Promise<unknown>)[] = [
      (requestId) => bench.decide(requestId, { decision: 'reject' }),
      (requestId) => bench.decide(requestId, { decision: 'request_changes', comment: 'Shorter' }),
      (requestId) => bench.withdraw(requestId),
    ];
    for (const end of ends) {
      const { id, requestId } = await expectHeld(await create({ scheduleAt: at(day) }));
      await end(requestId);
      const postAfter = await post(id);
      assert.equal([postAfter.status, postAfter.scheduledAt, postAfter.approval], ['ready', null, null]);
    }
    const { id } = await expectHeld(await create({ scheduleAt: at(day) }));
    bench.advanceClock(day + 1);
    await bench.drain();
    assert.equal([(await post(id)).status, (await post(id)).scheduledAt], ['ready', null]);
  });

  test('a post that waits for approval cannot be changed or published again, and its deletion withdraws the request', async () => {
    const { id, requestId } = await expectHeld(await create({ publish: true }));
    const edit = await bench.by('ada', `/v1/social/posts/${id}`, { caption: 'b' }, { method: 'PATCH' });
    for (const { body } of [edit, await publish(id)]) {
      assert.is(body.error.code, 'state_conflict');
      assert.match(body.error.message, `POST /v1/approvals/requests/${requestId}/withdraw`);
      assert.not.match(body.error.message, 'Allowed now');
    }
    const second = await bench.tool(bench.keys.ada.secret, 'publish_social_post', { postId: id });
    assert.is(
      second.structuredContent.error.message,
      `The publication of the post ${id} waits for approval ${requestId}. Track it with read_approval (requestId: ${requestId}). Do not publish it again: the approval does. To take the publication back: withdraw_approval (requestId: ${requestId}). Then the post is as it was before.`,
    );
    assert.match(edit.body.error.message, 'To change it, withdraw the request first:');
    const reschedule = await schedule(id, at(day));
    assert.match(reschedule.body.error.message, 'To schedule it, withdraw the request first:');
    assert.is((await bench.request(`/v1/social/posts/${id}`, { method: 'DELETE' })).body.status, 'deleted');
    const request = await bench.read(requestId);
    assert.equal([request.status, request.reason], ['withdrawn', 'content_changed']);
  });

  test('a key of the preset send can read and withdraw its own request', async () => {
    const input = { workspaceId: bench.workspaceId, name: 'agent', mode: 'mcp', preset: 'send' } as const;
    const { secret } = await bench.service.keys.create(input);
    const args = { channels: ['x'], caption: 'Of an agent', publish: true };
    const { approval } = (await bench.tool(secret, 'create_social_post', args)).structuredContent;
    const { requestId } = approval;
    assert.is((await bench.tool(secret, 'read_approval', { requestId })).structuredContent.status, 'pending');
    assert.is((await bench.tool(secret, 'withdraw_approval', { requestId })).structuredContent.status, 'withdrawn');
  });

  test('the tool gives the reason if a stored post cannot be published', async () => {
    const args = { channels: ['x'], caption: 'a'.repeat(300) };
    const { content, structuredContent } = await bench.tool(bench.keys.ada.secret, 'create_social_post', args);
    assert.is(structuredContent.status, 'draft');
    assert.match(content[0].text, /^The post cannot go out as it is\. caption: .*280/);
    const fit = await bench.tool(bench.keys.ada.secret, 'create_social_post', { ...args, caption: 'a' });
    assert.is(fit.content.length, 1);
  });

  test('if a check fails after the approval, the post becomes ready again', async () => {
    const { id, requestId } = await expectHeld(await create({ publish: true }));
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    await bench.approve(requestId);
    await bench.drain();
    const { execution } = await bench.read(requestId);
    assert.equal([execution.status, execution.error], ['failed', 'plan_required']);
    assert.is((await post(id)).status, 'ready');
  });

  test('checks run before the request is held, and a dry run reports the request', async () => {
    assert.is((await create({ caption: '', publish: true })).body.error.code, 'post_invalid');
    assert.is((await create({ scheduleAt: at(-1_000) })).body.error.code, 'schedule_at_invalid');
    const dry = await bench.by(
      'ada',
      '/v1/social/posts',
      { channels: ['x'], caption: 'a', publish: true },
      {
        headers: { 'dry-run': 'true' },
      },
    );
    assert.equal([dry.status, dry.headers['Dry-Run-Credits']], [202, '1']);
    assert.match(dry.headers['Dry-Run-Events'] ?? '', 'approval.requested');
    assert.equal((await bench.request('/v1/approvals/pending')).body.data, []);
  });

  test('the dry run of a composed post with publish or scheduleAt returns the same as the call', async () => {
    const compose = (goesOut: object, headers: Record<string, string> = {}) =>
      bench.by(
        'ada',
        '/v1/social/posts',
        { mode: 'compose', channels: ['x'], brief: 'Acme 2.0 is here.', ...goesOut },
        { headers },
      );
    for (const goesOut of [{ publish: true }, { scheduleAt: at(day) }]) {
      const dry = await compose(goesOut, { 'dry-run': 'true' });
      assert.equal([dry.status, dry.body.status, dry.body.caption], [202, 'pending_approval', '']);
      assert.equal([dry.body.approval.status, dry.headers['Dry-Run-Credits']], ['pending', '3']);
      assert.match(dry.headers['Dry-Run-Events'] ?? '', 'approval.requested');
    }
    assert.equal((await bench.request('/v1/approvals/pending')).body.data, []);
    const real = await compose({ publish: true });
    assert.equal([real.status, real.body.status], [202, 'pending_approval']);
    // A dry run also reports problems that no text can fix.
    const dry = await bench.by(
      'ada',
      '/v1/social/posts',
      { mode: 'compose', channels: ['instagram'], brief: 'Acme 2.0 is here.', publish: true },
      { headers: { 'dry-run': 'true' } },
    );
    const codes = dry.body.problems.map(({ code }: { code: string }) => code);
    assert.equal([dry.status, dry.body.status, codes], [201, 'draft', ['media_missing', 'account_missing']]);
  });

  test('if submitted content is approved, any key with the scope can publish the post', async () => {
    const { id } = (await create()).body;
    const submission = await bench.by('ada', '/v1/approvals/requests', { surfaceKind: 'social_post', targetId: id });
    assert.is(submission.status, 201);
    const waiting = await post(id);
    assert.equal([waiting.status, waiting.approval.requestId], ['ready', submission.body.requestId]);
    await bench.approve(submission.body.requestId);
    assert.is((await publish(id)).body.status, 'publishing');
  });

  test('an edit withdraws a submitted request only if it changes content that reviewers saw', async () => {
    const { id } = (await create()).body;
    const { requestId } = (
      await bench.by('ada', '/v1/approvals/requests', { surfaceKind: 'social_post', targetId: id })
    ).body;
    const edit = (body: object) => bench.by('ada', `/v1/social/posts/${id}`, body, { method: 'PATCH' });
    await edit({ brief: 'For those who write' });
    assert.is((await bench.read(requestId)).status, 'pending');
    await edit({ caption: 'Another text' });
    assert.is((await bench.read(requestId)).status, 'withdrawn');
    assert.is((await post(id)).approval, null);
  });

  test('sandbox posts wait for approval on the sandbox side', async () => {
    const { body } = await bench.send(bench.testKey, '/v1/social/posts', {
      channels: ['x'],
      caption: 'a',
      publish: true,
    });
    assert.equal([body.status, body.sandbox], ['pending_approval', true]);
  });

  /** Publishes a sandbox post with the given outcome, and requests to publish it again, which waits for approval. */
  const waitAfterPublication = async (simulationScenario: string, body: object = {}) => {
    const send = (path: string, input: object, method = 'POST') =>
      bench.send(bench.testKey, `/v1/social/posts${path}`, input, { method });
    await bench.policy({ required: false }, 'social_post');
    const keyOptions = { channels: ['x', 'bluesky'], caption: 'a', publish: true, simulationScenario };
    const { id } = (await send('', keyOptions)).body;
    await bench.drain();
    await bench.policy({ required: true }, 'social_post');
    const { requestId } = await expectHeld(await send(`/${id}/publish`, body));
    const readPost = async () => (await bench.request(`/v1/social/posts/${id}`, { key: bench.testKey })).body;
    return { id, requestId, send, read: readPost };
  };

  test('a partly live post that waits for approval cannot be deleted like a post that is not live', async () => {
    const { id, requestId, send, read } = await waitAfterPublication('partially_published');
    assert.equal([(await read()).status, (await read()).targets[0].status], ['pending_approval', 'published']);
    for (const query of ['', '?fromProvider=true']) {
      const { body } = await bench.request(`/v1/social/posts/${id}${query}`, { method: 'DELETE', key: bench.testKey });
      assert.is(body.error?.code, 'state_conflict', JSON.stringify(body));
      assert.match(body.error.message, requestId);
    }
    await bench.send(bench.testKey, `/v1/approvals/requests/${requestId}/withdraw`, {});
    assert.is((await read()).status, 'partially_published');
    assert.is((await send(`/${id}?fromProvider=true`, {}, 'DELETE')).body.status, 'deleting');
  });

  test('an edit keeps the unknown outcome of an earlier publication', async () => {
    const { id, requestId, send, read } = await waitAfterPublication('unknown', { retryUnknown: true });
    await bench.send(bench.testKey, `/v1/approvals/requests/${requestId}/withdraw`, {});
    assert.is((await send(`/${id}`, { caption: 'b' }, 'PATCH')).body.status, 'ready');
    const statuses = (await read()).targets.map((target: { status: string }) => target.status);
    assert.equal(statuses, ['unknown', 'unknown']);
    assert.is((await send(`/${id}/publish`, {})).body.error?.code, 'state_conflict');
  });

  test('if a change of the live policy withdraws a sandbox request, its post becomes ready', async () => {
    await bench.policy({ required: true, reviewers: ['u_bea', 'u_cal'] }, 'social_post');
    const { body } = await bench.send(bench.testKey, '/v1/social/posts', {
      channels: ['x'],
      caption: 'a',
      publish: true,
    });
    assert.is(body.status, 'pending_approval');
    await bench.policy({ required: true, reviewers: ['u_dan'] }, 'social_post');
    const postAfter = (await bench.request(`/v1/social/posts/${body.id}`, { key: bench.testKey })).body;
    assert.equal([postAfter.status, postAfter.approval], ['ready', null]);
  });

  test('with 500 pending requests, another call is refused, not held', async () => {
    await insertPendingRequests(bench, 500);
    const answer = await create({ publish: true });
    assert.equal([answer.status, answer.body.error.code], [409, 'limit_reached']);
  });
});
