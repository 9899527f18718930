// A keyring that cannot open the stored secrets: the first call of a process reports it, before a job fails.
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type KeyringSecret, localKeyring } from '../../adapters/keyring/local.ts';
import { createService } from '../../core/kernel/compose.ts';
import { keyringFaults } from '../../core/kernel/keyring-check.ts';
import { twoDatabases } from '../support/databases.ts';

const key = (id: string): KeyringSecret => ({ id, secret: randomBytes(32).toString('base64') });

await twoDatabases('keyring check', (test, database) => {
  /** Runs a process with these keys. Returns its warnings and the results of `doctor`. */
  const run = async (
    tablePrefix: string,
    keys: readonly KeyringSecret[],
    use: 'start' | 'drain' | 'call' = 'start',
  ) => {
    const warnings: string[] = [];
    const noop = () => undefined;
    const service = createService({
      plugins: [],
      storage: database.createStorage(),
      tablePrefix,
      keyring: localKeyring({ keys }),
      logger: { debug: noop, info: noop, warn: (_, text) => void warnings.push(text ?? ''), error: noop },
    });
    try {
      await service.migrate();
      const faults = await keyringFaults(await service.core.anyDatabase(), service.core.ports.keyring);
      if (use === 'call') await service.workspaces.list();
      else await service[use]();
      assert.equal(
        warnings.filter((text) => text.includes('keyring')),
        faults,
      );
      return faults;
    } finally {
      await service.stop();
    }
  };

  test('the same key decrypts everything, and so does a list with a new key before it', async () => {
    const prefix = database.newPrefix();
    const [first, second] = [key('a'), key('b')];
    assert.equal(await run(prefix, [first]), []);
    assert.equal(await run(prefix, [first]), []);
    assert.equal(await run(prefix, [second, first]), []);
    assert.equal(await run(prefix, [first, second]), []);
  });

  test('a missing key is reported by its id, with the remedy', async () => {
    const prefix = database.newPrefix();
    assert.equal(await run(prefix, [key('development')], 'drain'), []);
    const [fault, ...others] = await run(prefix, [key('2026')], 'drain');
    assert.equal(others, []);
    assert.match(fault ?? '', /not configured \(development\)\. Add it after the first one\./);
    assert.match(fault ?? '', new RegExp(`delete the row krc_[0-9a-f]{24} of ${prefix}keyring_checks`));
  });

  test('a process that accepts calls but never starts warns once', async () => {
    const prefix = database.newPrefix();
    assert.equal(await run(prefix, [key('development')]), []);
    assert.is((await run(prefix, [key('2026')], 'call')).length, 1);
  });

  test('another secret with the same id is reported', async () => {
    const prefix = database.newPrefix();
    assert.equal(await run(prefix, [key('a')]), []);
    const [fault] = await run(prefix, [key('a')]);
    assert.match(fault ?? '', /sealed with another secret under the id a\./);
  });
});
