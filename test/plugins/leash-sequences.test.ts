// Leashes and later sends: runs of sequences that a call moves or resumes, and contacts whose address a call changes.
// time-limit: 120
import * as assert from 'uvu/assert';
import type { Leash, NewKey } from '../../core/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

await eachDatabase('leashes of sequences', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
  });
  test.after(() => bench.close());

  const issue = async (leash: Leash): Promise<string> => {
    const key: NewKey = { workspaceId: bench.workspaceId, name: 'agent', mode: 'mcp', preset: 'full', leash };
    return (await bench.service.keys.create(key)).secret;
  };
  const post = (key: string, path: string, body: object = {}) => {
    calls += 1;
    return bench.request(path, { body, key, headers: { 'idempotency-key': `leash-sequences-${calls}` } });
  };
  const expectRefusal = (
    answer: { status: number; body: { error: { code: string; message: string } } },
    words: RegExp,
  ) => {
    assert.is(answer.status, 403, JSON.stringify(answer.body));
    assert.is(answer.body.error.code, 'leash_exceeded');
    assert.match(answer.body.error.message, words);
  };
  const expectSuccess = (answer: { status: number; body: unknown }) =>
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  const sendsLeft = async (key: string) =>
    (await bench.request('/v1/workspace', { key })).body.leash.left.sendsPerHour.amount;

  /** Publishes a sequence of two pauses. Returns its key. */
  const sequence = async (): Promise<string> => {
    const nodes = (['first', 'second'] as const).map((id) => ({ id, kind: 'delay' as const, for: 'P1D' }));
    const { sequences } = bench.service.as(bench.workspaceId);
    const { key } = await sequences.create({ name: 'Pauses', nodes, edges: [{ from: 'first', to: 'second' }] });
    await sequences.publish({ keyOrId: key });
    return key;
  };
  const enroll = async (keyOrId: string, email: string) =>
    (await bench.service.as(bench.workspaceId).sequences.enroll({ keyOrId, contact: { email } })).runId;

  test('each move of a run counts as a send', async () => {
    const key = await sequence();
    const runId = await enroll(key, 'ada@example.org');
    const secret = await issue({ sendsPerHour: 2 });
    const move = (nodeId: string) =>
      post(secret, `/v1/sequences/${key}/transition`, { runId, nodeId, reason: 'Again.' });
    expectSuccess(await move('second'));
    expectSuccess(await move('first'));
    assert.is(await sendsLeft(secret), 0);
    expectRefusal(await move('second'), /allows 2 sends an hour\. 0 are left, and this call counts as 1/);
  });

  test('a run moves only if its contact is at an allowed domain', async () => {
    const key = await sequence();
    const secret = await issue({ recipientDomains: ['example.org'] });
    const move = async (email: string) => {
      const body = { runId: await enroll(key, email), nodeId: 'second', reason: 'Paid.' };
      return post(secret, `/v1/sequences/${key}/transition`, body);
    };
    expectSuccess(await move('bob@example.org'));
    expectRefusal(await move('bob@other.example'), /a recipient of this call is at other\.example/);
  });

  test("resuming a sequence counts the active runs of the key's side", async () => {
    const key = await sequence();
    for (const name of ['one', 'two', 'three']) await enroll(key, `${name}@example.org`);
    const endedRun = await enroll(key, 'four@other.example');
    const { sequences } = bench.service.as(bench.workspaceId);
    await sequences.runCancel({ runId: endedRun });
    expectSuccess(
      await post(bench.testKey, `/v1/sequences/${key}/enroll`, { contact: { email: 'five@other.example' } }),
    );
    await sequences.pause({ keyOrId: key });
    const resume = (secret: string) => post(secret, `/v1/sequences/${key}/resume`);
    expectRefusal(await resume(await issue({ sendsPerHour: 2 })), /alone counts as 3/);
    expectRefusal(await resume(await issue({ recipientDomains: ['example.com'] })), /at example\.org/);
    const secret = await issue({ sendsPerHour: 4, recipientDomains: ['example.org'] });
    expectSuccess(await resume(secret));
    assert.is(await sendsLeft(secret), 1);
    assert.is((await resume(secret)).body.error.code, 'state_conflict');
  });

  test('a contact cannot get an address outside the allowed domains, and changing a contact does not count', async () => {
    const secret = await issue({ sendsPerHour: 1, recipientDomains: ['example.org'] });
    const change = (email: string) => post(secret, '/v1/contacts', { external_id: 'leashed', email });
    expectSuccess(await change('old@example.org'));
    expectSuccess(await change('new@Example.ORG'));
    expectSuccess(await post(secret, '/v1/contacts', { external_id: 'leashed', attributes: { plan: 'pro' } }));
    expectRefusal(await change('eve@other.example'), /a recipient of this call is at other\.example/);
    assert.is(await sendsLeft(secret), 1);
  });
});
