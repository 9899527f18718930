// time-limit: 180
// Behaviour that only SQLite's single writer requires: waiting for the program's transaction without blocking other
// callers, and handlers that may await only their own database.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { gate, until } from '../support/job-bench.ts';
import { type HostKind, type HostProgram, hostKinds, withHost } from './transactions-hosts.ts';

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);

/** Lets the event loop run for this many turns, enough for anything that does not have to wait. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
};

function registerTests(kind: HostKind): void {
  const test = suite(`one writer beside ${kind.name}`);
  const each = (name: string, work: (host: HostProgram) => Promise<void>) => test(name, () => withHost(kind, work));
  const shared = kind.name.includes('shared');

  each('a call waits while a joined transaction is open, and writes after it', async (host) => {
    const order: string[] = [];
    let own: Promise<unknown> = Promise.resolve();
    await host.transaction(async ({ handle }) => {
      await host.calls.ledger.add({ name: 'joined' }, { trx: handle });
      own = host.calls.ledger.add({ name: 'own' }).then(() => order.push('own'));
      await turns(60);
      await host.calls.ledger.add({ name: 'joined again' }, { trx: handle });
      order.push('end of the transaction');
    });
    await own;
    assert.equal(order, ['end of the transaction', 'own']);
    assert.equal((await host.committed()).entries, ['joined', 'joined again', 'own']);
  });

  each('a waiting call continues after the program rolled back', async (host) => {
    let own: Promise<unknown> = Promise.resolve();
    const abandoned = host.transaction(async ({ handle }) => {
      await host.calls.ledger.add({ name: 'joined' }, { trx: handle });
      own = host.calls.ledger.add({ name: 'own' });
      await turns(10);
      throw new Error('changed its mind');
    });
    assert.match(await abandoned.then(String, String), /changed its mind/);
    await own;
    assert.equal((await host.committed()).entries, ['own']);
  });

  each(shared ? 'lets no read of its own in between' : 'reads what is committed in the meantime', async (host) => {
    await host.calls.ledger.add({ name: 'before' });
    let reading: Promise<unknown> = Promise.resolve();
    let read = false;
    await host.transaction(async ({ handle }) => {
      await host.calls.ledger.add({ name: 'joined' }, { trx: handle });
      reading = host.calls.sends.list().then(() => {
        read = true;
      });
      await turns(20);
      assert.is(read, !shared);
    });
    await reading;
    assert.ok(read);
  });

  each('under load, calls and transactions of the program take turns, and no call is refused', async (host) => {
    const own = names(200, 'own');
    const joined = names(25, 'joined');
    const sending = Promise.all(own.map((name) => host.calls.ledger.add({ name })));
    for (const name of joined) {
      // BEGIN IMMEDIATE blocks the program's thread, so run it when no batch of the service is half done.
      await new Promise((resolve) => setImmediate(resolve));
      await host.transaction(async ({ handle, insertOrder }) => {
        await insertOrder(name);
        await host.calls.ledger.add({ name }, { trx: handle });
      });
    }
    await sending;
    assert.equal(await host.committed(), { orders: joined, entries: [...joined, ...own] });
  });

  test.run();
}

const kinds = (await hostKinds()).filter(({ dialect }) => dialect === 'sqlite');
for (const kind of kinds) registerTests(kind);

const test = suite('a handler that awaits something outside the database');

for (const kind of kinds.filter(({ name }) => !name.includes('Kysely'))) {
  test(`a handler that awaits something outside the database is rolled back without affecting others (${kind.name})`, async () => {
    const held = gate();
    let woken = false;
    const hold = async () => {
      await held.passed;
      woken = true;
    };
    await withHost(
      kind,
      async (host) => {
        const others = names(20, 'e').map((name) => host.calls.ledger.add({ name }));
        const foreign = host.calls.ledger.linger({ name: 'foreign' });
        const more = names(20, 'f').map((name) => host.calls.ledger.add({ name }));
        const refused = await foreign.then(
          () => undefined,
          (error: unknown) => error,
        );
        assert.ok(isPostriderError(refused, 'internal_error'));
        assert.ok(isStorageError(refused.cause, 'handler_awaited_outside'));
        await Promise.all([...others, ...more]);
        held.open();
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
