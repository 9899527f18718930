// The pages of approvals in the console: waiting requests, their changes, and the decisions.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { browserHeaders, formHeaders } from '../support/console-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('the approvals of the console', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(
      database,
      {},
      {
        access: ({ cookies: { who = '', workspace = bench.workspaceId } }) => ({
          member: who,
          name: who,
          workspaces: [{ id: workspace, scopes: who === 'guest' ? ['approvals:read'] : 'full' }],
        }),
      },
    );
    await bench.policy({ required: true });
  });
  test.after.each(() => bench.close());

  const page = async (path: string, visitor: string, form?: Record<string, string>) => {
    const answer = await bench.request(`/console/${bench.workspaceId}/approvals${path}`, {
      key: '',
      method: form === undefined ? 'GET' : 'POST',
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
      headers: { ...(form === undefined ? browserHeaders : formHeaders), cookie: `who=${visitor}` },
    });
    return { ...answer, text: answer.bytes.toString('utf8') };
  };
  let forms = 0;
  const send = (path: string, visitor: string, action: string, fields: Record<string, string>) => {
    forms += 1;
    return page(path, visitor, { action, key: `form-${forms}`, ...fields });
  };
  const heldRequest = async (key: string) => {
    await bench.edited(key, 'Second & better');
    const { requestId } = (await bench.publish(key)).body.approval;
    return { requestId, path: `/${requestId}`, ...(await bench.read(requestId)) };
  };

  test('the list shows waiting requests, oldest first, and all requests with their decisions', async () => {
    await heldRequest('oldest');
    bench.advanceClock(1_000);
    const { requestId } = await heldRequest('turned_down');
    bench.advanceClock(1_000);
    await heldRequest('newest');
    await bench.decide(requestId, { decision: 'reject', comment: 'No.' });
    const { text } = await page('', 'u_bea');
    assert.match(text, /Publish a template: oldest\.[\s\S]*>ada<[\s\S]*Publish a template: newest\./);
    assert.not.match(text, 'turned_down');
    assert.match(
      (await page('?list=all', 'u_bea')).text,
      /newest[\s\S]*turned_down[\s\S]*Rejected[\s\S]*>bea<\/span> rejected/,
    );
  });

  test('a request shows its change as text and side by side, without scripts of its own', async () => {
    const { path } = await heldRequest('shown');
    const { text, headers } = await page(path, 'u_bea');
    assert.match(text, '<del>First</del><ins>Second &amp; better</ins>');
    assert.match(text, 'Waiting requests for a sequence that sends this template');
    assert.match(headers['Content-Security-Policy'] ?? '', /style-src 'self' 'sha256-[^']+'$/);
    const after = await page(`${path}/after`, 'u_bea');
    assert.match(after.text, 'Hi');
    assert.match(
      after.headers['Content-Security-Policy'] ?? '',
      /img-src 'self' data:.*frame-ancestors 'self'; sandbox$/,
    );
    assert.match((await page(`${path}/before`, 'u_bea')).text, 'Hi');
  });

  test('a mail without examples is shown with the names of its variables as their values', async () => {
    const body = '<p>{{ percent }} % off</p>';
    await bench.by('ada', '/v1/templates', { key: 'filled', mode: 'html', subject: 'For {{ name }}', body });
    const { requestId } = (await bench.publish('filled')).body.approval;
    assert.match((await page(`/${requestId}/after`, 'u_bea')).text, 'percent % off');
    assert.match((await page(`/${requestId}`, 'u_bea')).text, '<strong>For name</strong>');
  });

  test('a variable with a default is shown with that default', async () => {
    const variables = {
      type: 'object',
      properties: { name: { type: 'string' }, product: { type: 'string', default: 'Acme' } },
      required: ['name'],
      examples: [{ name: 'Ada' }],
    };
    const subject = 'Welcome to {{ product }}, {{ name }}';
    await bench.by('ada', '/v1/templates', { key: 'defaults', mode: 'html', subject, body: '<p>Hi</p>', variables });
    const { requestId } = (await bench.publish('defaults')).body.approval;
    assert.match((await page(`/${requestId}`, 'u_bea')).text, '<strong>Welcome to Acme, Ada</strong>');
  });

  test('a form decides as the member who is signed in', async () => {
    const { path, requestId, contentHash } = await heldRequest('decided');
    const ownDecision = await send(path, 'u_ada', 'approve', { contentHash });
    assert.is(ownDecision.status, 422);
    assert.match(
      ownDecision.text,
      /Nothing was changed\. This key or this member asked for the approval[^<]*Another member has to\./,
    );
    assert.is((await bench.read(requestId)).status, 'pending');
    const { status, headers } = await send(path, 'u_bea', 'approve', { contentHash, comment: 'Fine' });
    assert.is(status, 303);
    const request = await bench.read(requestId);
    assert.equal(
      [request.status, request.decisions[0].uid, request.decisions[0].comment],
      ['approved', 'u_bea', 'Fine'],
    );
    assert.match(headers['Location'] ?? '', /done=approve/);
    const waiting = await page(`${path}?done=approve`, 'u_bea');
    assert.match(waiting.text, 'You have approved it.');
    assert.match(waiting.text, 'This page reloads by itself');
    assert.is(waiting.headers['Refresh'], '4');
    await bench.drain();
    const done = await page(path, 'u_bea');
    assert.equal([done.headers['Refresh'], /Carried out<\/dt><dd dir="auto">Done/.test(done.text)], [undefined, true]);
    const { body } = await bench.request('/v1/audit?action=approval.decide');
    assert.equal([body.data[0].actor.kind, body.data[0].actor.client], ['dashboard', 'console']);
  });

  test('a decision without a required comment is refused, and the requester can read the comment of a decision', async () => {
    const { path, requestId, contentHash } = await heldRequest('commented');
    for (const action of ['request_changes', 'reject']) {
      const refusal = await send(path, 'u_bea', action, { contentHash, comment: ' ' });
      assert.is(refusal.status, 422, action);
      assert.match(refusal.text, 'Nothing was changed.');
    }
    assert.is((await bench.read(requestId)).status, 'pending');
    assert.is(
      (await send(path, 'u_bea', 'request_changes', { contentHash, comment: 'Name the <street>.' })).status,
      303,
    );
    assert.match((await page(path, 'u_bea')).text, /bea asked for changes[\s\S]*Name the &lt;street&gt;\./);
  });

  test('a decided proposal is still shown side by side, whether it was carried out or turned down', async () => {
    const body = { mode: 'html', subject: 'First', body: '<p>Old words</p>' };
    const decided = async (key: string, decision: string) => {
      await bench.by('ada', '/v1/templates', { key, ...body });
      await bench.service.as(bench.workspaceId).templates.publish({ key });
      bench.advanceClock(1_000);
      const changes = { body: '<p>New words</p>' };
      const { requestId } = (await bench.by('ada', `/v1/templates/${key}/proposals`, changes)).body;
      assert.is((await bench.read(requestId)).summary, `Change to template ${key}.`);
      if (decision === 'approve') await bench.approve(requestId);
      else await bench.decide(requestId, { decision, comment: 'So be it.' });
      bench.advanceClock(1_000);
      await bench.drain();
      return `/${requestId}`;
    };
    for (const path of [await decided('taken', 'approve'), await decided('turned', 'reject')]) {
      assert.match((await page(path, 'u_bea')).text, /What was decided on[\s\S]*title="Before"[\s\S]*title="After"/);
      assert.match((await page(`${path}/before`, 'u_bea')).text, 'Old words');
      assert.match((await page(`${path}/after`, 'u_bea')).text, 'New words');
    }
  });

  test('after the decision, the page still shows the decided content, even if the template changes later', async () => {
    await bench.by('ada', '/v1/templates', { key: 'new', mode: 'html', subject: 'New', body: '<p>Brand new</p>' });
    const { requestId } = (await bench.publish('new')).body.approval;
    const path = `/${requestId}`;
    await bench.approve(requestId);
    await bench.drain();
    const { text } = await page(path, 'u_bea');
    assert.match(text, 'What was decided on');
    assert.not.match(text, 'Nothing is public yet');
    assert.match((await page(`${path}/after`, 'u_bea')).text, 'Brand new');
    await bench.edit('new', { subject: 'Other' });
    assert.match((await page(`${path}/after`, 'u_bea')).text, 'Brand new');
  });

  test('if the content changed after a rejection, the page states this and shows no preview', async () => {
    const { path, requestId } = await heldRequest('reworked');
    await bench.decide(requestId, { decision: 'reject', comment: 'No.' });
    assert.match((await page(path, 'u_bea')).text, 'title="After"');
    await bench.edit('reworked', { subject: 'Other' });
    assert.match((await page(path, 'u_bea')).text, 'The content has changed since');
    assert.match((await page(`${path}/after`, 'u_bea')).text, 'There is nothing to show.');
  });

  test('the next reviewer sees the earlier request, and publishing the same content again refers to it', async () => {
    const { path, requestId } = await heldRequest('again');
    await bench.decide(requestId, { decision: 'request_changes', comment: 'Name the <street>.' });
    assert.is((await bench.template('again')).approval, null);
    const refused = (await bench.publish('again')).body.error.message;
    assert.match(refused, `GET /v1/approvals/requests/${requestId}.`);
    await bench.edit('again', { subject: 'Third' });
    const { requestId: next } = (await bench.publish('again')).body.approval;
    const { text } = await page(`/${next}`, 'u_cal');
    const [, earlier = ''] = text.split('<h2>Earlier request</h2>');
    assert.match(
      earlier,
      new RegExp(`href="[^"]*/approvals/${requestId}\\?side=live">Publish a template: again\\.</a>`),
    );
    assert.match(earlier, /Changes requested[\s\S]*bea asked for changes[\s\S]*Name the &lt;street&gt;\./);
    assert.not.match((await page(path, 'u_cal')).text, 'Earlier request');
  });

  test('a sequence shows its steps, the mails that it sends and its settings, even if nothing is public', async () => {
    await bench.policy({ required: true }, 'sequence');
    await bench.edited('welcome_mail');
    const nodes = [
      { id: 'greet', kind: 'send_email', templateKey: 'welcome_mail', variables: {} },
      { id: 'note', kind: 'update_contact', attributes: { plan: '<pro>' } },
      { id: 'pause', kind: 'delay', for: 'P2D' },
    ];
    const edges = [
      { from: 'greet', to: 'note', when: 'next' },
      { from: 'note', to: 'pause', when: 'next' },
    ];
    const fields = {
      key: 'onboarding',
      name: 'First days',
      nodes,
      edges,
      trigger: { kind: 'event', type: 'signed_up' },
    };
    const created = await bench.by('ada', '/v1/sequences', {
      ...fields,
      settings: { quietHours: { from: '21:00', to: '07:30' } },
    });
    assert.is(created.status, 201, JSON.stringify(created.body));
    const publish = async () => {
      const { status, body } = await bench.by('ada', '/v1/sequences/onboarding/publish');
      assert.is(status, 202, JSON.stringify(body));
      return body.approval.requestId;
    };
    const requestId = await publish();
    const first = `/${requestId}`;
    const { text } = await page(`${first}/after`, 'u_bea');
    for (const expectedText of [
      'First days',
      'onboarding',
      'When signed_up',
      'Send email welcome_mail',
      'Wait 2 days',
      'Version 1',
    ])
      assert.match(text, expectedText);
    assert.match(text, /plan&quot;:&quot;&lt;pro&gt;[\s\S]*quietHours[\s\S]*21:00/);
    assert.match(text, 'src="data:image/svg+xml;base64,');
    assert.match((await page(`${first}/before`, 'u_bea')).text, 'There is nothing to show.');
    assert.match((await page(first, 'u_bea')).text, 'title="After"');
    await bench.approve(requestId);
    await bench.drain();
    await bench.by(
      'ada',
      '/v1/sequences/onboarding',
      { nodes: [{ id: 'pause', kind: 'delay', for: 'P3D' }], edges: [] },
      { method: 'PATCH' },
    );
    const second = `/${await publish()}`;
    assert.match((await page(`${second}/before`, 'u_bea')).text, 'Wait 2 days');
    assert.match((await page(`${second}/after`, 'u_bea')).text, 'Wait 3 days');
    assert.not.match((await page(`${second}/after`, 'u_bea')).text, 'Wait 2 days');
  });

  test('a form that was loaded before an edit decides nothing', async () => {
    const { path, requestId, contentHash } = await heldRequest('stale');
    await bench.edit('stale', { subject: 'Third' });
    const { requestId: next } = (await bench.publish('stale')).body.approval;
    assert.is((await send(path, 'u_bea', 'approve', { contentHash })).status, 422);
    const other = await send(`/${next}`, 'u_bea', 'approve', { contentHash });
    assert.match(other.text, 'The content is not the content that was decided on.');
    assert.is((await bench.read(requestId)).status, 'withdrawn');
    assert.is((await bench.read(next)).status, 'pending');
  });

  test('a person without the scope to decide sees no form, and their form is refused', async () => {
    const { path, requestId, contentHash } = await heldRequest('guarded');
    const guest = await page(path, 'guest');
    assert.is(guest.status, 200);
    assert.not.match(guest.text, 'method="post"');
    assert.is((await send(path, 'guest', 'approve', { contentHash })).status, 422);
    assert.is((await bench.read(requestId)).status, 'pending');
  });

  test('a request is never shown in another workspace or on the other side', async () => {
    const { path } = await heldRequest('elsewhere');
    assert.is((await page(`${path}?side=sandbox`, 'u_bea')).status, 404);
    assert.is((await page(`${path}/after?side=sandbox`, 'u_bea')).status, 404);
    assert.is((await page(path, `u_bea; workspace=${bench.foreignWorkspaceId}`)).status, 404);
  });

  test('the old address redirects to the page', async () => {
    const answer = await bench.request(`/approvals?workspace=${bench.workspaceId}&side=sandbox`, { key: '' });
    assert.equal(
      [answer.status, answer.headers['Location']],
      [303, `approvals/../console?page=approvals&workspace=${bench.workspaceId}&side=sandbox`],
    );
  });

  test('the page of a post that is partly live shows the live part, and the part that the approval adds, with its problems', async () => {
    const { service, workspaceId, testKey } = bench;
    for (const provider of ['x', 'bluesky'])
      await service.connectors.create(workspaceId, { kind: 'social', provider, name: provider, credentials: {} });
    await service.as(workspaceId).social.networksRefresh();
    const send = (path: string, body: object) => bench.send(testKey, `/v1/social/posts${path}`, body);
    const fields = { channels: ['x', 'bluesky'], caption: 'Two <networks>', linkUrl: 'https://example.com/a' };
    const live = { ...fields, publish: true, simulationScenario: 'partially_published' };
    const { id } = (await send('', live)).body;
    await bench.drain();
    await bench.policy({ required: true }, 'social_post');
    const { requestId } = (await send(`/${id}/publish`, {})).body.approval;
    const path = `/${requestId}`;
    const sandbox = (query = '', of = path) => page(`${of}${query}?side=sandbox`, 'u_bea');
    const { text } = await sandbox();
    assert.match(text, /Live since \d+ January 2026 at \d\d:\d\d UTC[\s\S]*Goes out as soon as it is approved/);
    assert.match(text, 'channels.bluesky</h3>');
    const cardsIn = async (side: string) =>
      [...(await sandbox(`/${side}`)).text.matchAll(/<article.*?<\/article>/gs)].map(([card]) => card);
    const [before, ...unexpected] = await cardsIn('before');
    assert.match(before ?? '', /Two &lt;networks&gt;\s+https:\/\/example\.com\/a[\s\S]*Live already/);
    assert.equal(unexpected, []);
    const [first, second = ''] = await cardsIn('after');
    assert.is(first, before);
    assert.match(second, /aria-label="Bluesky: [\s\S]*<a class="link"/);
    assert.not.match(second, 'Live already');
    await bench.policy({ required: false }, 'social_post');
    const { id: broken } = (await send('', { ...fields, channels: ['x'], caption: 'a'.repeat(300) })).body;
    const submission = { surfaceKind: 'social_post', targetId: broken };
    const submitted = (await bench.send(testKey, '/v1/approvals/requests', submission)).body;
    const other = `/${submitted.requestId}`;
    assert.match((await sandbox('', other)).text, 'Approving it does not publish it');
    assert.match((await sandbox('', other)).text, 'The approval publishes nothing by itself');
    assert.match((await sandbox('/after', other)).text, /too long[\s\S]*280 are allowed/);
  });

  test('the page of a post whose request was rejected shows the requested time', async () => {
    const { service, workspaceId, testKey } = bench;
    await service.connectors.create(workspaceId, { kind: 'social', provider: 'x', name: 'x', credentials: {} });
    await service.as(workspaceId).social.networksRefresh();
    await bench.policy({ required: true }, 'social_post');
    const post = { channels: ['x'], caption: 'Later' };
    const at = '2026-01-20T15:04:00+01:00';
    const createdWithTime = (await bench.send(testKey, '/v1/social/posts', { ...post, scheduleAt: at })).body;
    const { id } = (await bench.send(testKey, '/v1/social/posts', post)).body;
    const scheduled = (await bench.send(testKey, `/v1/social/posts/${id}/schedule`, { scheduledAt: at })).body;
    for (const { approval } of [createdWithTime, scheduled]) {
      const path = `/${approval.requestId}?side=sandbox`;
      const contentHash = /name="contentHash" value="(\w+)"/.exec((await page(path, 'u_bea')).text)?.[1] ?? '';
      await send(path, 'u_bea', 'request_changes', { contentHash, comment: 'Shorter.' });
      const { text } = await page(path, 'u_bea');
      assert.match(text, /What was decided on[\s\S]*Goes out on 20 January 2026 at 14:04 UTC/);
    }
  });
});
