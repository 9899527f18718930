// Signing secrets after a key rotation: a daily schedule seals them again with the first key of the keyring.
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { createService } from '../../core/index.ts';
import { webhooksPlugin } from '../../plugins/webhooks/index.ts';
import { activeSecrets } from '../../plugins/webhooks/secrets.ts';
import { webhookRows } from '../../plugins/webhooks/store.ts';
import { twoDatabases } from '../support/databases.ts';
import { shopUrl as url } from '../support/shop-webhooks.ts';
import { keyOf } from '../support/vault-tools.ts';

await twoDatabases('webhooks after a rotation of the keyring', (test, database) => {
  test('within a day secrets are sealed with the new key, so that the old key can be removed', async () => {
    const tablePrefix = database.newPrefix();
    let now = Date.UTC(2026, 5, 1);
    const errors: unknown[] = [];
    const noop = () => undefined;
    const within = async <T>(keys: readonly string[], work: (service: ReturnType<typeof open>) => Promise<T>) => {
      const service = open(keys);
      try {
        return await work(service);
      } finally {
        await service.stop();
      }
    };
    const open = (keys: readonly string[]) =>
      createService({
        plugins: [webhooksPlugin()],
        storage: database.createStorage(),
        tablePrefix,
        clock: { now: () => now },
        keyring: localKeyring({ keys: keys.map(keyOf) }),
        logger: { debug: noop, info: noop, warn: noop, error: (fields) => void errors.push(fields) },
      });
    const aDayOf = (keys: readonly string[]) =>
      within(keys, async (service) => {
        now += 86_400_000;
        await service.drain();
      });
    const secretOf = (workspaceId: string, id: string, keys: readonly string[]) =>
      within(keys, async ({ core }) => {
        const row = await (await core.database()).read(workspaceId, (handle) => webhookRows.find(handle, id));
        return row === undefined ? undefined : activeSecrets(core.ports.keyring, row, now)[0]?.secret;
      });

    const created = await within(['a'], async (service) => {
      await service.migrate();
      const { id: workspaceId } = await service.workspaces.create({
        name: 'Acme',
        defaultFrom: { email: 'hello@example.com', name: 'Acme' },
      });
      const { id, secret } = await service.as(workspaceId).webhooks.create({ url, events: ['*'] });
      // The first run of a schedule waits for its first time slot.
      await service.drain();
      return { workspaceId, id, secret };
    });
    const opens = (keys: readonly string[]) => secretOf(created.workspaceId, created.id, keys);
    await opens(['b']).then(
      () => assert.unreachable('the secret was opened without its key'),
      (error: Error) => assert.match(error.message, /a key that is not configured/),
    );

    await aDayOf(['b']);
    assert.equal(
      errors.filter((fields) => JSON.stringify(fields).includes(created.id)),
      [{ workspace: created.workspaceId, webhooks: [created.id] }],
      'the error names the secret that cannot be opened',
    );
    await aDayOf(['b', 'a']);
    assert.is(await opens(['b']), created.secret);
  });
});
