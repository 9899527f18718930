// The messages of a person that an export returns.
// full-run: slow
import * as assert from 'uvu/assert';
import { readContextOf } from '../../core/pipeline/read-context.ts';
import { personalData } from '../../plugins/inbox/personal-data.ts';
import { twoDatabases } from '../support/databases.ts';
import { openInboxBench } from '../support/inbox-bench.ts';

await twoDatabases('personal data of the inbox', (test, database) => {
  test('an export has at most as many messages as asked for, over all addresses, the newest first', async () => {
    const bench = await openInboxBench({ database });
    try {
      await bench.publish('hello');
      const addresses = ['ada@example.com', 'ada@example.org'];
      for (const to of [...addresses, ...addresses]) {
        await bench.send('hello', { to, variables: { name: 'Ada' } });
        bench.advanceClock(1);
      }
      await bench.drain();
      const { core } = bench.service;
      const database = await core.database();
      const exported = (limit: number) =>
        database.read(bench.workspaceId, async (trx) => {
          const person = { personId: null, externalId: null, emails: addresses };
          const { messages } = await personalData.export(readContextOf(core, trx.onSide(true), 0), person, limit);
          return (messages as { to: string }[]).map(({ to }) => to);
        });
      const newest = ['ada@example.org', 'ada@example.com', 'ada@example.org', 'ada@example.com'];
      assert.equal(await exported(3), newest.slice(0, 3));
      assert.equal(await exported(10), newest);
    } finally {
      await bench.close();
    }
  });
});
