// The inbox also lists sends for which no mail was made, such as suppressed sends, if their mail would have come to the inbox.
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
      const planned = { to: 'later@example.com', variables, send_at: new Date(bench.now() + 60_000).toISOString() };
      const later = await bench.send('hello', planned, liveKey);
      assert.is((await bench.messages('?to=later@example.com')).length, 0, 'its mail may still be made');
      await service.as(workspaceId).suppressions.create({ email: 'later@example.com' });
      bench.advanceClock(60_000);
      await bench.drain();
      const found = await bench.messages('?to=stop@example.com');
      assert.equal(
        found.map(({ origin, status, has_message: has, unread }) => [origin, status, has, unread]),
        [
          ['live', 'suppressed', false, true],
          ['sandbox', 'suppressed', false, true],
        ],
      );
      assert.equal(
        (await bench.messages(`?q=${later}`)).map(({ to, origin, has_message: has }) => [to, origin, has]),
        [['later@example.com', 'live', false]],
      );
      assert.is((await bench.ask(`/messages/${later}/seen`, { method: 'POST' })).status, 204);
      const { listed, unread, has_message: has } = (await bench.ask(`/sends/${later}`)).json;
      assert.equal([listed, unread, has], [true, false, false]);
      assert.equal((await bench.ask('/messages', { method: 'DELETE' })).json, { deleted: 3 });
      assert.is((await bench.ask(`/sends/${later}`)).json.listed, false);
    }));
});
