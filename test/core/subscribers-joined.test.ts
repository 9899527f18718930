// time-limit: 120
// Subscribers and the program's transactions: events of a rolled-back transaction are never delivered, and events of a committed
// transaction are delivered, although the program registers no commit hook.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostKinds, templateKey, withHost } from './transactions-hosts.ts';

class RollbackRequested extends Error {}

const all = await hostKinds();
/** One kind of program for each database */
const kinds = all.filter(({ dialect }, index) => all.findIndex((other) => other.dialect === dialect) === index);

for (const kind of kinds) {
  const test = suite(`subscribers of a program: ${kind.name} (${kind.dialect})`);

  test('subscribers get no event of a rolled-back transaction and every event of a committed one', () =>
    withHost(kind, async (host) => {
      const receivedIds: string[] = [];
      host.service.on('send.queued', ({ data }) => void receivedIds.push(data.to));
      const send = (to: string, trx: object) =>
        host.calls.email.send({ template: templateKey, to, variables: { name: 'Ada' } }, { trx });
      await host
        .transaction(async ({ handle, insertOrder }) => {
          await insertOrder('o1');
          await send('rolled-back@example.net', handle);
          throw new RollbackRequested();
        })
        .catch((error: unknown) => {
          if (!(error instanceof RollbackRequested)) throw error;
        });
      await host.transaction(async ({ handle, insertOrder }) => {
        await insertOrder('o2');
        await send('committed@example.net', handle);
        assert.equal(receivedIds, []);
      });
      await host.test.drain();
      assert.equal(receivedIds, ['committed@example.net']);
      const storedEvents = await host.test.events('send.queued');
      assert.equal(
        storedEvents.map(({ to }) => to),
        ['committed@example.net'],
      );
    }));

  test.run();
}
