// Conversions under concurrency: an event that arrives several times at the same moment counts once.
import * as assert from 'uvu/assert';
import { type BroadcastBench, openBroadcastBench } from '../support/broadcast-bench.ts';
import { broadcastReports, human, link } from '../support/broadcast-reports.ts';
import { eachDatabase } from '../support/databases.ts';

await eachDatabase('races on conversions', (test, database) => {
  let bench: BroadcastBench;
  test.before(async () => {
    bench = await openBroadcastBench(database);
    const conversions = [{ eventType: 'order.placed', value: 'event.metadata.total' }];
    await bench.service.workspaces.update(bench.workspaceId, { settings: { conversions } });
  });
  test.after(() => bench.close());

  test('ten simultaneous reports of one event are one conversion, and ten different events of one recipient are ten', async () => {
    const tools = broadcastReports(bench);
    const listId = await bench.list(['ada@example.org']);
    const broadcastId = await bench.draft({ audience: { include: [{ listId }] } });
    await bench.calls().broadcasts.schedule({ broadcastId });
    await bench.settle();
    const sends = await tools.sendsOf(broadcastId);
    await tools.report(sends.get('ada@example.org') ?? '', { kind: 'clicked', url: link, bot: human });
    const emit = (key: string) =>
      bench.request('/v1/events', {
        body: { type: 'order.placed', contact: { email: 'ada@example.org' }, metadata: { total: 1 } },
        headers: { 'idempotency-key': key },
      });
    await Promise.all(Array.from({ length: 10 }, () => emit('the same')));
    const totals = async () => {
      const { conversions, counts } = await bench.calls().broadcasts.report({ broadcastId });
      return [conversions.total, counts.converted, conversions.values[0]?.amount];
    };
    assert.equal(await totals(), [1, 1, '1']);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => emit(`other ${index}`)));
    assert.equal(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(await totals(), [11, 1, '11']);
  });
});
