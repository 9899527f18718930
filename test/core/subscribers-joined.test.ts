// time-limit: 120
// Subscribers and the program's transactions: rolled-back events are never delivered, and committed events are, without
// a hook.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostKinds, templateKey, withHost } from './transactions-hosts.ts';

class ChangedMind extends Error {}

/** One kind of program per database. */
const all = await hostKinds();
const kinds = all.filter(({ dialect }, index) => all.findIndex((other) => other.dialect === dialect) === index);

for (const kind of kinds) {
  const test = suite(`subscribers of a program: ${kind.name} (${kind.dialect})`);

  test('subscribers get no event of a rolled-back transaction and every event of a committed one', () =>
    withHost(kind, async (host) => {
      const received: string[] = [];
      host.service.on('send.queued', ({ data }) => void received.push(data.to));
      const send = (to: string, trx: object) =>
        host.calls.email.send({ template: templateKey, to, variables: { name: 'Ada' } }, { trx });
      await host
        .transaction(async ({ handle, insertOrder }) => {
          await insertOrder('o1');
          await send('rolled-back@example.net', handle);
          throw new ChangedMind();
        })
        .catch((error: unknown) => {
          if (!(error instanceof ChangedMind)) throw error;
        });
      await host.transaction(async ({ handle, insertOrder }) => {
        await insertOrder('o2');
        await send('committed@example.net', handle);
        assert.equal(received, []);
      });
      await host.test.drain();
      assert.equal(received, ['committed@example.net']);
      const kept = await host.test.events('send.queued');
      assert.equal(
        kept.map(({ to }) => to),
        ['committed@example.net'],
      );
    }));

  test.run();
}
