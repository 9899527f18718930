// The inbox also lists sends that have no mail, such as suppressed sends, if their mail would have come to the inbox.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type InboxBench, openInboxBench } from '../support/inbox-bench.ts';

const variables = { name: 'Ada' };

await twoDatabases('sends without a mail in the inbox', (test, database) => {
  const withBench = async (run: (bench: InboxBench) => Promise<void>): Promise<void> => {
    const bench = await openInboxBench({ database });
    try {
      await bench.publish('hello');
      await run(bench);
    } finally {
      await bench.close();
    }
  };

  test('a suppressed send is listed, found and deleted like a message, if mail of its side comes to the inbox', () =>
    withBench(async (bench) => {
      const { service, workspaceId, testKey, liveKey } = bench;
      for (const sandbox of [true, false])
        await service.as(workspaceId, { sandbox }).suppressions.create({ email: 'stop@example.com' });
      for (const key of [testKey, liveKey]) {
        bench.advanceClock(1);
        await bench.send('hello', { to: 'Stop@example.com', variables }, key);
      }
      const body = { to: 'later@example.com', variables, send_at: new Date(bench.now() + 60_000).toISOString() };
      const scheduledSend = await bench.send('hello', body, liveKey);
      assert.is((await bench.messages('?to=later@example.com')).length, 0, 'its mail may still be created');
      await service.as(workspaceId).suppressions.create({ email: 'later@example.com' });
      bench.advanceClock(60_000);
      await bench.drain();
      const results = await bench.messages('?to=stop@example.com');
      assert.equal(
        results.map(({ origin, status, has_message: has, unread }) => [origin, status, has, unread]),
        [
          ['live', 'suppressed', false, true],
          ['sandbox', 'suppressed', false, true],
        ],
      );
      assert.equal(
        (await bench.messages(`?q=${scheduledSend}`)).map(({ to, origin, has_message: has }) => [to, origin, has]),
        [['later@example.com', 'live', false]],
      );
      assert.is((await bench.ask(`/messages/${scheduledSend}/seen`, { method: 'POST' })).status, 204);
      const { listed, unread, has_message: has } = (await bench.ask(`/sends/${scheduledSend}`)).json;
      assert.equal([listed, unread, has], [true, false, false]);
      assert.equal((await bench.ask('/messages', { method: 'DELETE' })).json, { deleted: 3 });
      assert.is((await bench.ask(`/sends/${scheduledSend}`)).json.listed, false);
    }));
});
