// Behaviour that only the single writer of SQLite needs: waiting for the program's transaction without blocking other callers, and
// handlers that may await only their own database
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { gate, until } from '../support/job-bench.ts';
import { type HostKind, type HostProgram, hostKinds, withHost } from './transactions-hosts.ts';

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);

/** Lets the event loop run for this many turns, enough for everything that does not have to wait. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
};

function registerTests(kind: HostKind): void {
  const test = suite(`the single writer of SQLite: ${kind.name}`);
  const each = (name: string, work: (host: HostProgram) => Promise<void>) => test(name, () => withHost(kind, work));
  const isShared = kind.name.includes('shared');

  each('a call waits while a joined transaction is open, and writes after it', async (host) => {
    const order: string[] = [];
    let ownCall: Promise<unknown> = Promise.resolve();
    await host.transaction(async ({ handle }) => {
      await host.calls.ledger.add({ name: 'joined' }, { trx: handle });
      ownCall = host.calls.ledger.add({ name: 'own' }).then(() => order.push('own'));
      await turns(60);
      await host.calls.ledger.add({ name: 'joined again' }, { trx: handle });
      order.push('end of the transaction');
    });
    await ownCall;
    assert.equal(order, ['end of the transaction', 'own']);
    assert.equal((await host.committed()).entries, ['joined', 'joined again', 'own']);
  });

  each('a waiting call continues after the program rolled back', async (host) => {
    let ownCall: Promise<unknown> = Promise.resolve();
    const rollback = host.transaction(async ({ handle }) => {
      await host.calls.ledger.add({ name: 'joined' }, { trx: handle });
      ownCall = host.calls.ledger.add({ name: 'own' });
      await turns(10);
      throw new Error('changed its mind');
    });
    assert.match(await rollback.then(String, String), /changed its mind/);
    await ownCall;
    assert.equal((await host.committed()).entries, ['own']);
  });

  each(
    isShared
      ? 'a read of the service waits for the open transaction'
      : 'a read of the service sees the committed rows at once',
    async (host) => {
      await host.calls.ledger.add({ name: 'before' });
      let reading: Promise<unknown> = Promise.resolve();
      let hasRead = false;
      await host.transaction(async ({ handle }) => {
        await host.calls.ledger.add({ name: 'joined' }, { trx: handle });
        reading = host.calls.sends.list().then(() => {
          hasRead = true;
        });
        await turns(20);
        assert.is(hasRead, !isShared);
      });
      await reading;
      assert.ok(hasRead);
    },
  );

  each('under load, calls and transactions of the program take turns, and no call is refused', async (host) => {
    const ownNames = names(200, 'own');
    const joinedNames = names(25, 'joined');
    const sending = Promise.all(ownNames.map((name) => host.calls.ledger.add({ name })));
    for (const name of joinedNames) {
      // BEGIN IMMEDIATE blocks the thread of the program, so it runs while no batch of the service is half done.
      await new Promise((resolve) => setImmediate(resolve));
      await host.transaction(async ({ handle, insertOrder }) => {
        await insertOrder(name);
        await host.calls.ledger.add({ name }, { trx: handle });
      });
    }
    await sending;
    assert.equal(await host.committed(), { orders: joinedNames, entries: [...joinedNames, ...ownNames] });
  });

  test.run();
}

const kinds = (await hostKinds()).filter(({ dialect }) => dialect === 'sqlite');
for (const kind of kinds) registerTests(kind);

const test = suite('a handler that awaits something outside the database');

for (const kind of kinds.filter(({ name }) => !name.includes('Kysely'))) {
  test(`a handler that awaits something outside the database is rolled back without affecting others (${kind.name})`, async () => {
    const isEnded = gate();
    let woken = false;
    const hold = async () => {
      await isEnded.passed;
      woken = true;
    };
    await withHost(
      kind,
      async (host) => {
        const otherCalls = names(20, 'e').map((name) => host.calls.ledger.add({ name }));
        const foreign = host.calls.ledger.linger({ name: 'foreign' });
        const more = names(20, 'f').map((name) => host.calls.ledger.add({ name }));
        const failure = await foreign.then(
          () => undefined,
          (error: unknown) => error,
        );
        assert.ok(isPostriderError(failure, 'internal_error'));
        assert.ok(isStorageError(failure.cause, 'handler_awaited_outside'));
        await Promise.all([...otherCalls, ...more]);
        isEnded.open();
        await until(() => woken);
        await turns(5);
        await host.calls.ledger.add({ name: 'later' });
        assert.equal((await host.committed()).entries, [...names(20, 'e'), ...names(20, 'f'), 'later']);
        const [jobs] = await host.ask("select count(*) as count from postrider_jobs where kind = 'ledger.note'");
        assert.is(Number(jobs?.count), 41);
      },
      { hooks: { hold } },
    );
  });
}

test.run();
