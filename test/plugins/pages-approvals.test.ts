// time-limit: 240
// Publishing pages under an approval policy: requests wait, decisions are carried out, and changes withdraw the requests.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { writePage } from '../support/fill-placeholders.ts';

const brief = 'A page “Our sourdough course”. Six evenings for beginners.';

await twoDatabases('approving pages', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    await bench.policy({ required: true }, 'page');
    await calls().brand.create({ name: 'Northwind' });
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId);
  const ready = async (): Promise<string> => {
    const { id } = await calls().pages.create({ brief, length: 'short' });
    await bench.drain();
    await writePage(calls(), id);
    return id;
  };
  const publish = (id: string, body: object = {}) => bench.by('ada', `/v1/pages/${id}/publish`, body);
  const readPage = (id: string) => calls().pages.read({ idOrSlug: id });
  const statusOf = async (requestId: string) => {
    const { status, reason } = await bench.read(requestId);
    return [status, reason];
  };

  test('a held publish waits for the decision and is then carried out', async () => {
    const id = await ready();
    const heldAnswer = await publish(id);
    const { approval } = heldAnswer.body;
    assert.equal([heldAnswer.status, heldAnswer.body.status, heldAnswer.body.version], [202, 'draft', 0]);
    assert.equal((await readPage(id)).approval, approval);
    assert.equal((await calls().pages.list({})).data[0]?.approval, approval);
    assert.is((await publish(id)).status, 409, 'a page has one request');
    const { contentHash, summary, diff } = await bench.read(approval.requestId);
    assert.match(contentHash, /^[0-9a-f]{64}$/);
    assert.match(summary, 'Our sourdough course');
    assert.is(diff, null, 'the page was not public before');
    await bench.approve(approval.requestId);
    await bench.drain();
    const after = await readPage(id);
    assert.equal([after.status, after.version, after.approval], ['published', 1, null]);
    assert.is((await bench.read(approval.requestId)).execution.status, 'done');
  });

  test('a change, a build, another publication and a deletion each withdraw the request', async () => {
    const id = await ready();
    const ask = async (): Promise<string> => (await publish(id)).body.approval.requestId;
    const edit = (body: object) => bench.by('ada', `/v1/pages/${id}`, body, { method: 'PATCH' });
    const first = await ask();
    await edit({ ctaLabel: null });
    assert.is((await bench.read(first)).status, 'pending', 'the page has not changed');
    for (const change of [{ title: 'Other' }, { slug: 'other' }, { metadata: { noindex: true } }, { sections: [] }]) {
      const request = (await readPage(id)).approval?.requestId ?? (await ask());
      await edit(change);
      assert.equal(await statusOf(request), ['withdrawn', 'content_changed'], JSON.stringify(change));
    }
    const composedRequest = await ask();
    await calls().pages.compose({ idOrSlug: id, brief: 'Baking for children.' });
    assert.is((await bench.read(composedRequest)).status, 'pending', 'the working copy is still the same');
    await bench.drain();
    assert.equal(await statusOf(composedRequest), ['withdrawn', 'content_changed']);
    await writePage(calls(), id);
    const publishedRequest = await ask();
    await calls().pages.publish({ idOrSlug: id });
    assert.equal(await statusOf(publishedRequest), ['withdrawn', 'content_changed']);
    await edit({ title: 'Last' });
    const deletedRequest = await ask();
    assert.ok((await bench.read(deletedRequest)).diff.some(({ path }: { path: string }) => path === 'title'));
    await calls().pages.delete({ idOrSlug: id });
    assert.equal(await statusOf(deletedRequest), ['withdrawn', 'content_changed']);
  });

  test('an older version gets its own request and is published after the approval', async () => {
    const id = await ready();
    await calls().pages.publish({ idOrSlug: id });
    await calls().pages.update({ idOrSlug: id, title: 'Second' });
    await calls().pages.publish({ idOrSlug: id });
    const heldAnswer = await publish(id, { version: 1 });
    const request = await bench.read(heldAnswer.body.approval.requestId);
    assert.equal(request.transition.input.version, 1);
    await bench.approve(request.requestId);
    await bench.drain();
    const { version, title, draft } = await readPage(id);
    assert.equal([version, title, draft], [3, 'Second', true]);
  });

  test('another key can publish submitted and approved content without waiting', async () => {
    const id = await ready();
    const submission = await bench.by('ada', '/v1/approvals/requests', { surfaceKind: 'page', targetId: id });
    assert.is(submission.status, 201, JSON.stringify(submission.body));
    await bench.approve(submission.body.requestId);
    const { status, body } = await bench.by('cal', `/v1/pages/${id}/publish`, {});
    assert.equal([status, body.version], [200, 1]);
    await bench.by('ada', `/v1/pages/${id}`, { title: 'Later' }, { method: 'PATCH' });
    assert.is((await bench.by('cal', `/v1/pages/${id}/publish`, {})).status, 202, 'an approval is valid once');
  });

  test('sandbox pages need no approval, because they are never public', async () => {
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true, member: 'u_ada' });
    const { id } = await sandbox.pages.create({ brief });
    await bench.drain();
    await writePage(sandbox, id);
    assert.is((await sandbox.pages.publish({ idOrSlug: id })).status, 'published');
  });
});
