// The approvals page as its visitors get it: access, content, and the form.
// full-run: slow
import * as assert from 'uvu/assert';
import { markedDifference } from '../../plugins/approvals/page/differences.ts';
import { fixtureRequests } from '../support/approval-rows.ts';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

await twoDatabases('the page for approvals', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(
      database,
      {},
      {
        authorize: ({ cookies: { who, workspace } }) =>
          who === undefined
            ? undefined
            : {
                workspaces: workspace === undefined ? 'all' : [workspace],
                ...(who === 'guest' ? {} : { member: who }),
              },
      },
    );
    await bench.policy({ required: true });
  });
  test.after.each(() => bench.close());

  const visit = async (
    path: string,
    visitor: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const answer = await bench.request(`/approvals${path}`, {
      key: '',
      method: form === undefined ? 'GET' : 'POST',
      ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
      headers: {
        cookie: visitor === '' ? '' : `who=${visitor}`,
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    return { ...answer, text: answer.bytes.toString('utf8') };
  };
  const held = async (key: string) => {
    await bench.edited(key, 'Second & better');
    const { requestId } = (await bench.publish(key)).body.approval;
    return { requestId, path: `/${bench.workspaceId}/${requestId}`, ...(await bench.read(requestId)) };
  };

  test('the page lists the oldest requests, which expire first, and the number of further requests', async () => {
    await held('oldest');
    bench.advanceClock(1_000);
    await fixtureRequests(bench, 101);
    const { text } = await visit('', 'u_bea');
    assert.match(text, 'Publish a template: oldest.');
    assert.match(text, '2 more wait');
    assert.is(text.match(/<li class="card">/g)?.length, 100);
  });

  test('the page lists pending requests and shows their changes', async () => {
    const { path } = await held('shown');
    const list = await visit('', 'u_bea');
    assert.match(list.text, `href="approvals${path}"`);
    assert.match(list.text, 'Publish a template: shown.');
    const { text, headers } = await visit(path, 'u_bea');
    assert.match(text, '<del>First</del><ins>Second &amp; better</ins>');
    assert.match(text, '<button name="decision" value="approve" formnovalidate>');
    assert.match(text, 'Waiting requests for a sequence that sends this template');
    assert.not.match(text, '<script');
    assert.match(headers['Content-Security-Policy'] ?? '', "default-src 'none'");
    const after = await visit(`${path}/after`, 'u_bea');
    assert.match(after.text, 'Hi');
    assert.match(after.headers['Content-Security-Policy'] ?? '', /frame-ancestors 'self'; sandbox$/);
    assert.match((await visit(`${path}/before`, 'u_bea')).text, 'Hi');
  });

  test('a mail without examples is shown with the names of its variables as their values', async () => {
    const body = '<p>{{ percent }} % off</p>';
    await bench.by('ada', '/v1/templates', { key: 'filled', mode: 'html', subject: 'For {{ name }}', body });
    const { requestId } = (await bench.publish('filled')).body.approval;
    assert.match((await visit(`/${bench.workspaceId}/${requestId}/after`, 'u_bea')).text, 'percent % off');
    assert.match((await visit(`/${bench.workspaceId}/${requestId}`, 'u_bea')).text, '<strong>For name</strong>');
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
    const { text } = await visit(`/${bench.workspaceId}/${requestId}`, 'u_bea');
    assert.match(text, '<strong>Welcome to Acme, Ada</strong>');
  });

  test('a posted form decides as the visiting member', async () => {
    const { path, requestId, contentHash } = await held('decided');
    for (const [decision, sentence] of [
      ['request_changes', 'Describe the changes to make.'],
      ['reject', 'Say why you reject it.'],
    ] as const) {
      // The form redirects to a page of its own, so going back never asks to send the form again.
      const refused = await visit(path, 'u_bea', { decision, contentHash, comment: ' ' });
      assert.equal([refused.status, refused.headers['Location']], [303, `${requestId}?refused=${decision}`]);
      const { text } = await visit(`${path}?refused=${decision}`, 'u_bea');
      assert.match(
        text,
        new RegExp(`id="fault" role="alert">${sentence}</p>\\s*<textarea[^>]* required [^>]*autofocus>`),
      );
    }
    const own = await visit(path, 'u_ada', { decision: 'approve', contentHash });
    assert.equal([own.status, own.headers['Location']], [303, `${requestId}?refused=self_approval`]);
    assert.match((await visit(`${path}?refused=self_approval`, 'u_ada')).text, 'Somebody else has to decide.');
    assert.is((await bench.read(requestId)).status, 'pending');
    const { status, headers } = await visit(path, 'u_bea', { decision: 'approve', contentHash, comment: 'Fine' });
    assert.equal([status, headers['Location']], [303, `${requestId}?decided`]);
    const request = await bench.read(requestId);
    assert.equal(
      [request.status, request.decisions[0].uid, request.decisions[0].comment],
      ['approved', 'u_bea', 'Fine'],
    );
    const waiting = await visit(`${path}?decided`, 'u_bea');
    assert.match(waiting.text, 'Your decision is stored.');
    assert.match(waiting.text, 'this page looks again by itself');
    assert.ok(waiting.headers['Refresh'] !== undefined, 'until the job has run');
    await bench.drain();
    const done = await visit(path, 'u_bea');
    assert.equal([done.headers['Refresh'], /Carried out<\/dt><dd>done/.test(done.text)], [undefined, true]);
    const { body } = await bench.request('/v1/audit?action=approval.decide');
    assert.equal([body.data[0].actor.kind, body.data[0].actor.client], ['dashboard', 'approvals']);
  });

  test('decided requests are listed newest first, page by page, with who decided and the outcome', async () => {
    const { requestId } = await held('turned_down');
    await bench.decide(requestId, { decision: 'reject', comment: 'No.' });
    for (let index = 0; index < 25; index += 1) {
      bench.advanceClock(1_000);
      const next = await held(`later_${index}`);
      await bench.approve(next.requestId);
    }
    await held('waits');
    const { text } = await visit('', 'u_bea');
    const [, href] = /<a href="approvals(\?decided=[^"]+)">Decided<\/a>/.exec(text) ?? [];
    const first = await visit(href ?? '', 'u_bea');
    const cards = first.text.match(/<li class="card">[\s\S]*?<\/li>/g) ?? [];
    assert.is(cards.length, 25);
    assert.match(cards[0] ?? '', /later_24[\s\S]*Approved[\s\S]*bea approved/);
    assert.not.match(first.text, 'waits.');
    const [, older] = /rel="next" href="approvals([^"]+)"/.exec(first.text) ?? [];
    const rest = await visit((older ?? '').replaceAll('&amp;', '&'), 'u_bea');
    assert.match(rest.text, /turned_down[\s\S]*Rejected[\s\S]*bea rejected/);
    assert.is((await visit(href ?? '', `u_bea; workspace=${bench.foreignWorkspaceId}`)).status, 404);
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
      return `/${bench.workspaceId}/${requestId}`;
    };
    for (const path of [await decided('taken', 'approve'), await decided('turned', 'reject')]) {
      assert.match((await visit(path, 'u_bea')).text, /What was decided on[\s\S]*title="Before"[\s\S]*title="After"/);
      assert.match((await visit(`${path}/before`, 'u_bea')).text, 'Old words');
      assert.match((await visit(`${path}/after`, 'u_bea')).text, 'New words');
    }
  });

  test('after the decision, the content that was decided on is still shown, whatever changes later', async () => {
    await bench.by('ada', '/v1/templates', { key: 'new', mode: 'html', subject: 'New', body: '<p>Brand new</p>' });
    const { requestId } = (await bench.publish('new')).body.approval;
    const path = `/${bench.workspaceId}/${requestId}`;
    await bench.approve(requestId);
    await bench.drain();
    const { text } = await visit(path, 'u_bea');
    assert.match(text, 'What was decided on');
    assert.not.match(text, 'Nothing is public yet');
    assert.match((await visit(`${path}/after`, 'u_bea')).text, 'Brand new');
    await bench.edit('new', { subject: 'Other' });
    assert.match((await visit(`${path}/after`, 'u_bea')).text, 'Brand new');
  });

  test('if the content changed after a rejection, the page states this and shows no preview', async () => {
    const { path, requestId } = await held('reworked');
    await bench.decide(requestId, { decision: 'reject', comment: 'No.' });
    assert.match((await visit(path, 'u_bea')).text, 'title="After"');
    await bench.edit('reworked', { subject: 'Other' });
    assert.match((await visit(path, 'u_bea')).text, 'The content has changed since');
    assert.match((await visit(`${path}/after`, 'u_bea')).text, 'There is nothing to show.');
  });

  test('the next reviewer sees the earlier request, and publishing the same content again refers to it', async () => {
    const { path, requestId } = await held('again');
    await bench.decide(requestId, { decision: 'request_changes', comment: 'Name the <street>.' });
    assert.is((await bench.template('again')).approval, null);
    const refused = (await bench.publish('again')).body.error.message;
    assert.match(refused, `GET /v1/approvals/requests/${requestId}.`);
    await bench.edit('again', { subject: 'Third' });
    const { requestId: next } = (await bench.publish('again')).body.approval;
    const { text } = await visit(`/${bench.workspaceId}/${next}`, 'u_cal');
    const [, earlier = ''] = text.split('<h2>Earlier request</h2>');
    assert.match(earlier, `<a href="${requestId}">Publish a template: again.</a>`);
    assert.match(earlier, /Changes requested[\s\S]*bea<\/strong> asked for changes[\s\S]*Name the &lt;street&gt;\./);
    assert.not.match((await visit(path, 'u_cal')).text, 'Earlier request');
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
    const index = await bench.by('ada', '/v1/sequences', {
      ...fields,
      settings: { quietHours: { from: '21:00', to: '07:30' } },
    });
    assert.is(index.status, 201, JSON.stringify(index.body));
    const publish = async () => {
      const { status, body } = await bench.by('ada', '/v1/sequences/onboarding/publish');
      assert.is(status, 202, JSON.stringify(body));
      return body.approval.requestId;
    };
    const requestId = await publish();
    const first = `/${bench.workspaceId}/${requestId}`;
    const { text } = await visit(`${first}/after`, 'u_bea');
    for (const shown of [
      'First days',
      'onboarding',
      'When signed_up',
      'Send email welcome_mail',
      'Wait 2 days',
      'Version 1',
    ])
      assert.match(text, shown);
    assert.match(text, /plan&quot;:&quot;&lt;pro&gt;[\s\S]*quietHours[\s\S]*21:00/);
    assert.match(text, 'src="data:image/svg+xml;base64,');
    assert.match((await visit(`${first}/before`, 'u_bea')).text, 'There is nothing to show.');
    assert.match((await visit(first, 'u_bea')).text, 'title="After"');
    await bench.approve(requestId);
    await bench.drain();
    await bench.by(
      'ada',
      '/v1/sequences/onboarding',
      { nodes: [{ id: 'pause', kind: 'delay', for: 'P3D' }], edges: [] },
      { method: 'PATCH' },
    );
    const second = `/${bench.workspaceId}/${await publish()}`;
    assert.match((await visit(`${second}/before`, 'u_bea')).text, 'Wait 2 days');
    assert.match((await visit(`${second}/after`, 'u_bea')).text, 'Wait 3 days');
    assert.not.match((await visit(`${second}/after`, 'u_bea')).text, 'Wait 2 days');
  });

  test('a key that made a request without a member is named', async () => {
    const { service, workspaceId } = bench;
    await bench.edited('agent');
    const key = await service.keys.create({ workspaceId, name: 'Marketing agent', mode: 'mcp', preset: 'full' });
    const asked = await bench.send(key.secret, '/v1/templates/agent/publish', {});
    const { text } = await visit(`/${workspaceId}/${asked.body.approval.requestId}`, 'u_bea');
    assert.match(text, 'the MCP key “Marketing agent”');
    assert.match((await visit('', 'u_bea')).text, 'asked for by the MCP key “Marketing agent”');
  });

  test('a form that was loaded before an edit decides nothing', async () => {
    const { path, requestId, contentHash } = await held('stale');
    await bench.edit('stale', { subject: 'Third' });
    const { requestId: next } = (await bench.publish('stale')).body.approval;
    const stale = await visit(path, 'u_bea', { decision: 'approve', contentHash });
    assert.match(stale.headers['Location'] ?? '', '?refused=state_conflict');
    const other = await visit(`/${bench.workspaceId}/${next}`, 'u_bea', { decision: 'approve', contentHash });
    assert.match(other.headers['Location'] ?? '', '?refused=content_changed');
    assert.is((await bench.read(requestId)).status, 'withdrawn');
    assert.is((await bench.read(next)).status, 'pending');
  });

  test('visitors without a sign-in, other sites, and other workspaces are refused', async () => {
    const { path, contentHash } = await held('guarded');
    assert.is((await visit('', '')).status, 401);
    const form = { decision: 'approve', contentHash };
    assert.is((await visit(path, 'u_bea', form, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.is((await visit(path, `u_bea; workspace=${bench.foreignWorkspaceId}`)).status, 404);
    const guest = await visit(path, 'guest');
    assert.not.match(guest.text, '<form');
    assert.match((await visit(path, 'guest', form)).headers['Location'] ?? '', '?refused=member_not_allowed');
  });

  test('a social post that is live in part shows the live part, and the part that the approval adds, with its problems', async () => {
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
    const path = `/${workspaceId}/${requestId}`;
    const { text } = await visit(path, 'u_bea');
    assert.match(text, /Live since \d+ January 2026 at \d\d:\d\d UTC[\s\S]*Goes out as soon as it is approved/);
    assert.match(text, '<h3>channels.bluesky</h3>');
    const cardsIn = async (side: string) =>
      [...(await visit(`${path}/${side}`, 'u_bea')).text.matchAll(/<article.*?<\/article>/gs)].map(([card]) => card);
    const [before, ...none] = await cardsIn('before');
    assert.match(before ?? '', /Two &lt;networks&gt;\s+https:\/\/example\.com\/a[\s\S]*Live already/);
    assert.equal(none, []);
    const [first, second = ''] = await cardsIn('after');
    assert.is(first, before);
    assert.match(second, /aria-label="Bluesky: [\s\S]*<a class="link"/);
    assert.not.match(second, 'Live already');
    await bench.policy({ required: false }, 'social_post');
    const { id: broken } = (await send('', { ...fields, channels: ['x'], caption: 'a'.repeat(300) })).body;
    const asked = { surfaceKind: 'social_post', targetId: broken };
    const submitted = (await bench.send(testKey, '/v1/approvals/requests', asked)).body;
    const page = `/${workspaceId}/${submitted.requestId}`;
    assert.match((await visit(page, 'u_bea')).text, 'Approving it does not publish it');
    assert.match((await visit(page, 'u_bea')).text, 'Nothing becomes public by itself');
    assert.match((await visit(`${page}/after`, 'u_bea')).text, /too long[\s\S]*280 are allowed/);
  });

  test('a social post whose request was turned down shows the requested time', async () => {
    const { service, workspaceId, testKey } = bench;
    await service.connectors.create(workspaceId, { kind: 'social', provider: 'x', name: 'x', credentials: {} });
    await service.as(workspaceId).social.networksRefresh();
    await bench.policy({ required: true }, 'social_post');
    const post = { channels: ['x'], caption: 'Later' };
    const at = '2026-01-20T15:04:00+01:00';
    const index = (await bench.send(testKey, '/v1/social/posts', { ...post, scheduleAt: at })).body;
    const { id } = (await bench.send(testKey, '/v1/social/posts', post)).body;
    const scheduled = (await bench.send(testKey, `/v1/social/posts/${id}/schedule`, { scheduledAt: at })).body;
    for (const { approval } of [index, scheduled]) {
      const path = `/${workspaceId}/${approval.requestId}`;
      const contentHash = /name="contentHash" value="(\w+)"/.exec((await visit(path, 'u_bea')).text)?.[1] ?? '';
      await visit(path, 'u_bea', { decision: 'request_changes', contentHash, comment: 'Shorter.' });
      const { text } = await visit(path, 'u_bea');
      assert.match(text, /What was decided on[\s\S]*Goes out on 20 January 2026 at 14:04 UTC/);
    }
  });

  test('differences of texts mark removed and added words', () => {
    assert.is(markedDifference('a b c', 'a x c'), 'a <del>b</del><ins>x</ins> c');
    assert.is(markedDifference('', '<b>'), '<ins>&lt;b&gt;</ins>');
    assert.is(
      markedDifference('one two three four', 'two three four five'),
      '<del>one </del>two three four<ins> five</ins>',
    );
    const long = 'word '.repeat(400);
    assert.is(markedDifference(`${long}x`, `${long}y`), `${long}<del>x</del><ins>y</ins>`);
    const [gone, come] = ['a '.repeat(1_000), 'b '.repeat(1_000)];
    assert.match(markedDifference(gone, come), /^<del>a .*<\/del><ins>b .*<\/ins> $/);
  });
});
