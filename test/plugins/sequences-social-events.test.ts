// time-limit: 120
// Sequences that trigger social events: the step creates the post; publishing needs the scope and the plan (plan_required).
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openPostsBench, type PostsBench } from '../support/social-posts-bench.ts';

await twoDatabases('sequences that trigger social events', (test, database) => {
  let bench: PostsBench;
  test.before.each(async () => {
    bench = await openPostsBench(database, { plans: { pro: noRateLimits } });
    await bench.connect('bluesky');
  });
  test.after.each(() => bench.close());

  let calls = 0;
  const send = (path: string, body: object, method = 'POST') => {
    calls += 1;
    return bench.request(path, { method, body, headers: { 'idempotency-key': `sequence-${calls}` } });
  };
  const node = (mode: string, eventKey = 'back_in_stock') => ({
    ...{ id: 'post', kind: 'social_event', eventKey, outcome: mode },
    variables: { product: 'The oak stool' },
  });
  const sequence = async (mode: string, eventKey?: string): Promise<string> => {
    const trigger = { kind: 'manual' };

    const body = { name: 'Restock', trigger, nodes: [node(mode, eventKey)] };
    const creation = await send('/v1/sequences', body);
    assert.is(creation.status, 201, JSON.stringify(creation.body));
    return creation.body.key;
  };
  const publish = (key: string) => send(`/v1/sequences/${key}/publish`, {});
  const runs = async () => (await bench.request('/v1/social/transactional/events')).body.data;

  for (const [mode, status] of [
    ['draft', 'drafted'],
    ['publish', 'published'],
  ] as const)
    test(`a run with the outcome ${mode} creates a post that is ${status}`, async () => {
      const key = await sequence(mode);
      const publication = await publish(key);
      assert.is(publication.status, 200, JSON.stringify(publication.body));
      const contact = await send('/v1/contacts', { email: 'ada@example.com' });
      assert.ok(contact.status < 300, JSON.stringify(contact.body));
      const body = { contact: { email: 'ada@example.com' }, variables: { product: 'The oak stool' } };
      const enrolment = await send(`/v1/sequences/${key}/enroll`, body);
      assert.ok(enrolment.status < 300, JSON.stringify(enrolment.body));
      await bench.drain();
      const [run] = await runs();
      assert.equal([run?.eventKey, run?.status], ['back_in_stock', status]);
      assert.match(run.captions[0].text, 'The oak stool is back in stock.');
    });

  test('publishing refuses a sequence with a social event that the kit does not have', async () => {
    const refusal = await publish(await sequence('draft', 'never_heard_of'));
    assert.is(refusal.status, 422);
    assert.match(JSON.stringify(refusal.body.error.details), 'never_heard_of');
  });

  test('a sequence that publishes posts needs a plan that includes publishing', async () => {
    const key = await sequence('publish');
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    const refusal = await publish(key);
    assert.equal([refusal.status, refusal.body.error.code], [403, 'plan_required']);
  });
});
