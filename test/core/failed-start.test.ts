// A process whose start fails does not deliver mail, so it must not report that it is ready until a start succeeds.
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { createService } from '../../core/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { keyOf } from '../support/vault-tools.ts';

await twoDatabases('a start that fails', (test, database) => {
  test('the process is not ready until a start succeeds, even if the schema exists', async () => {
    const reports: string[] = [];
    const report = (_: Record<string, unknown>, text: string) => void reports.push(text);
    const service = createService({
      plugins: [],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      keyring: localKeyring({ keys: [keyOf('a')] }),
      logger: { debug: () => undefined, info: () => undefined, warn: report, error: report },
    });
    const readiness = async () => (await service.fetch(new Request('http://localhost/v1/health/ready'))).status;
    try {
      await service.start().then(
        () => assert.unreachable('the service started without a schema'),
        (error: Error) => assert.match(error.message, /migration/),
      );
      assert.is(await readiness(), 503);
      await service.migrate();
      assert.is(await readiness(), 503, 'nothing in this process delivers mail');
      await service.start();
      assert.is(await readiness(), 200);
    } finally {
      await service.stop();
    }
  });
});
