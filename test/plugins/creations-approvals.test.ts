// time-limit: 240
// Strategies of creations under an approval policy: the creation builds exactly the approved strategy, with its edits.
// full-run: slow
import * as assert from 'uvu/assert';
import { type ApprovalsBench, openApprovalsBench } from '../support/approvals-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const brief = 'Our sourdough course starts in March. Book at https://example.com/course.';

await twoDatabases('approving strategies', (test, database) => {
  let bench: ApprovalsBench;
  test.before.each(async () => {
    bench = await openApprovalsBench(database);
    await bench.policy({ required: true }, 'creation_strategy');
  });
  test.after.each(() => bench.close());

  const calls = () => bench.service.as(bench.workspaceId).creations;
  const read = (creationId: string) => calls().read({ creationId, detail: 'full' });
  const drafted = async (): Promise<string> => {
    const { creationId } = await calls().spawn({ brief, channels: ['email'] });
    await bench.drain();
    return creationId;
  };
  const approve = (id: string, body: object = {}) => bench.by('ada', `/v1/creations/${id}/approve-strategy`, body);

  test('a held approval changes nothing, and after the decision exactly the approved strategy is built, with its edits', async () => {
    const id = await drafted();
    const [link] = (await read(id)).items ?? [];
    const edits = { summary: 'Another idea.', items: [{ itemId: link?.itemId, skip: true }] };
    const heldAnswer = await approve(id, { edits });
    assert.equal([heldAnswer.status, heldAnswer.body.status], [202, 'awaiting_approval']);
    const { requestId } = heldAnswer.body.approval;
    assert.equal((await read(id)).approval, heldAnswer.body.approval);
    const repeat = await approve(id);
    assert.is(repeat.status, 409, 'a creation has one request');
    assert.match(repeat.body.error.message, requestId, 'the requester learns which request waits');
    assert.is.not((await read(id)).strategy?.summary, 'Another idea.');
    await bench.approve(requestId);
    await bench.drain();
    await bench.drain();
    const built = await read(id);
    assert.equal([built.status, built.strategy?.summary, built.approval], ['ready', 'Another idea.', null]);
    assert.equal(
      built.items?.map(({ status }) => status),
      ['skipped', 'built', 'built'],
    );
    assert.is((await bench.read(requestId)).execution.status, 'done');
  });

  test('rejecting, redrafting or canceling a strategy withdraws its request', async () => {
    const first = await drafted();
    const ask = async (id: string): Promise<string> => (await approve(id)).body.approval.requestId;
    const anew = await ask(first);
    await calls().rejectStrategy({ creationId: first, revise: true, comment: 'Shorter.' });
    assert.is((await bench.read(anew)).status, 'withdrawn');
    await bench.drain();
    const second = await ask(first);
    await calls().cancel({ creationId: first });
    assert.is((await bench.read(second)).status, 'withdrawn');
  });
});
