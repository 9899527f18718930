// The marketing calendar in sequences: a run waits at its node for the end of quiet hours, and skips a send above a cap. The simulation
// shows the same result.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSequenceBench, type SequenceBench } from '../support/sequence-bench.ts';

const hour = 3_600_000;

await twoDatabases('sequences under the marketing calendar', (test, database) => {
  let bench: SequenceBench;
  test.before.each(async () => {
    bench = await openSequenceBench(database);
    const body = '<html><body><p>Hello {{name}}</p><a href="%unsubscribe_url%">Unsubscribe</a></body></html>';
    const { templates } = bench.calls;
    await templates.create({ key: 'news', mode: 'html', category: 'marketing', subject: 'Hello {{name}}', body });
    await templates.publish({ key: 'news' });
    await bench.template('receipt');
  });
  test.after.each(() => bench.close());

  const mail = (id: string, templateKey: string) =>
    ({ id, kind: 'send_email', templateKey, variables: { name: 'Ada' } }) as const;
  const clock = (at: number) => new Date(at).toISOString().slice(11, 16);
  const contact = { email: 'ada@example.org' };
  /** Sets quiet hours that began an hour ago and end in two hours. */
  const quietNow = async (visits: number) => {
    const now = Date.parse((await bench.calls.contacts.upsert({ ...contact, attributes: { visits } })).updated_at);
    await bench.calls.marketing.calendarPatch({ quietHours: { from: clock(now - hour), to: clock(now + 2 * hour) } });
  };

  test('marketing mail waits at its node and other mail leaves, and a run that is canceled in quiet hours sends no more mail', async () => {
    await quietNow(1);
    const key = await bench.published({
      name: 'Two mails',
      nodes: [mail('tell', 'receipt'), mail('sell', 'news')],
      edges: [{ from: 'tell', to: 'sell' }],
    });
    const { runId } = await bench.calls.sequences.enroll({ keyOrId: key, contact });
    await bench.drain();
    const run = await bench.calls.sequences.runRead({ runId });
    assert.equal(
      run.steps.map(({ nodeId, status, reason }) => [nodeId, status, reason]),
      [
        ['tell', 'completed', null],
        ['sell', 'pending', 'quiet_hours'],
      ],
    );
    assert.equal((await bench.calls.sends.list({ to: contact.email })).data.length, 1);
    bench.advanceClock(2 * hour + 1_000);
    await bench.drain();
    assert.equal(await bench.stepsOf(runId), ['tell completed', 'sell completed']);
    await quietNow(2);
    const { runId: second } = await bench.calls.sequences.enroll({ keyOrId: key, contact });
    await bench.drain();
    await bench.calls.sequences.runCancel({ runId: second });
    bench.advanceClock(3 * hour);
    await bench.drain();
    assert.is((await bench.calls.sends.list({ to: contact.email, status: 'sent' })).data.length, 3);
  });

  test('a mail above the cap is skipped with frequency_cap, and the simulation predicts this', async () => {
    await bench.calls.marketing.calendarPatch({ caps: [{ max: 1, per: 'week' }] });
    const key = await bench.published({
      name: 'Too much',
      nodes: [mail('one', 'news'), mail('two', 'news')],
      edges: [{ from: 'one', to: 'two' }],
    });
    const { path } = await bench.calls.sequences.simulate({ keyOrId: key, draft: false });
    assert.equal(
      path.map(({ nodeId, outcome, reason }) => [nodeId, outcome, reason]),
      [
        ['one', 'completed', null],
        ['two', 'skipped', 'frequency_cap'],
      ],
    );
    const { runId } = await bench.calls.sequences.enroll({ keyOrId: key, contact });
    await bench.drain();
    const { steps } = await bench.calls.sequences.runRead({ runId });
    assert.equal(
      steps.map(({ status, reason }) => [status, reason]),
      [
        ['completed', null],
        ['skipped', 'frequency_cap'],
      ],
    );
  });
});
