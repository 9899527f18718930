// Canceling scheduled sends is possible until a worker takes the message. It returns the budget, and works for live and sandbox sends.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const hour = 3_600_000;
const variables = { name: 'Ada' };

await twoDatabases('canceling sends', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('later');
  });
  test.after(() => bench.close());

  const inAnHour = () => new Date(bench.now() + hour).toISOString();
  const cancel = (id: string, key = bench.liveKey) =>
    bench.request(`/v1/sends/${id}/cancel`, { method: 'POST', key, headers: { 'idempotency-key': `cancel-${id}` } });

  test('a canceled send does not leave, names who canceled it, and is on the timeline of its contact', async () => {
    await bench.request('/v1/contacts', { body: { email: 'ada@example.com' } });
    const { body: send } = await bench.send('later', { to: 'ada@example.com', variables, send_at: inAnHour() });
    assert.is(send.status, 'scheduled');
    const { status, body } = await cancel(send.id);
    assert.is(status, 200);
    assert.is(body.status, 'canceled');
    const key = (await bench.request('/v1/keys')).body.data.find((one: { mode: string }) => one.mode === 'live');
    assert.is(body.whyNotSent, `Canceled by the API key ${key.id} before it was sent.`);
    assert.equal(
      body.events.map(({ type }: { type: string }) => type),
      ['send.scheduled', 'send.canceled'],
    );
    assert.equal(await bench.readSend(send.id), body);
    bench.advanceClock(2 * hour);
    await bench.drain();
    assert.equal(await bench.received(), []);
    const [event] = await bench.events('send.canceled');
    assert.equal([event?.id, event?.status, event?.event.type], [send.id, 'canceled', 'send.canceled']);
    const audit = (await bench.request('/v1/audit?action=transactional.cancel')).body.data;
    assert.equal(audit[0].target, { kind: 'message', id: send.messageId });
    const contact = (await bench.request('/v1/contacts')).body.data[0];
    const { timeline } = (await bench.request(`/v1/contacts/${contact.id}`)).body;
    assert.is(timeline.find((item: { id: string }) => item.id === send.id).status, 'canceled');
  });

  test('canceling a send that is being sent, was sent or was canceled gets 409', async () => {
    const { body: sent } = await bench.send('later', { to: 'ada@example.com', variables });
    assert.is((await cancel(sent.id)).body.error.code, 'state_conflict');
    const { body: due } = await bench.send('later', { to: 'ada@example.com', variables, send_at: inAnHour() });
    bench.advanceClock(2 * hour);
    await bench.drain();
    const refusal = await cancel(due.id);
    assert.equal([refusal.status, refusal.body.error.code], [409, 'state_conflict']);
    const { body: twice } = await bench.send('later', { to: 'ada@example.com', variables, send_at: inAnHour() });
    assert.is((await cancel(twice.id)).status, 200);
    assert.is((await cancel(twice.id)).headers['Idempotent-Replay'], 'true');
    const secondAnswer = await bench.request(`/v1/sends/${twice.id}/cancel`, { method: 'POST' });
    assert.match(secondAnswer.body.error.message, /canceled/);
  });

  test('a canceled send no longer counts against the monthly budget', async () => {
    const small = await openMailBench(database, { plans: { pro: { monthlySendBudget: 1 } } });
    await small.publish('later');
    const send_at = new Date(small.now() + hour).toISOString();
    const send = (to: string) => small.send('later', { to, variables, send_at });
    const { body: first } = await send('ada@example.com');
    assert.is((await send('grace@example.com')).body.error.code, 'send_budget_exhausted');
    assert.is((await small.request(`/v1/sends/${first.id}/cancel`, { method: 'POST' })).status, 200);
    assert.is((await send('grace@example.com')).status, 202);
    assert.is((await send('linus@example.com')).body.error.code, 'send_budget_exhausted');
    await small.close();
  });

  test('a sandbox key can cancel a sandbox send, but a live key cannot', async () => {
    const send = await bench.send(
      'later',
      { to: 'ada@example.com', variables, send_at: inAnHour() },
      { key: bench.testKey },
    );
    assert.is((await cancel(send.body.id)).body.error.code, 'send_not_found');
    assert.is((await cancel(send.body.id, bench.testKey)).body.status, 'canceled');
    bench.advanceClock(2 * hour);
    await bench.drain();
    assert.is((await bench.readSend(send.body.id)).status, 'canceled');
  });
});
