// A separate process that prints the bytes of one tools/list: another start of the same program on the same database. Started by
// mcp-list.test.ts: `mcp-list-process.ts FILE KEY`.
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import { standardPlugins } from '../../plugins/index.ts';

/** Creates the service on a database file. */
export const serviceOn = (filename: string) =>
  createService({
    storage: sqliteStorage({ filename }),
    plugins: standardPlugins,
    keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    environment: 'development',
  });

/** Returns the bytes of a tools/list with this key. */
export async function listBytes({ dispatch }: Pick<Service, 'dispatch'>, key: string, query = ''): Promise<string> {
  const { status, body } = await dispatch({
    method: 'POST',
    url: `/v1/mcp${query}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  if (status !== 200) throw new Error(`tools/list answered ${status}: ${String(body)}`);
  return String(body);
}

if (process.argv[1] === import.meta.filename) {
  const [, , filename = '', key = ''] = process.argv;
  const service = serviceOn(filename);
  process.stdout.write(await listBytes(service, key));
  await service.stop();
}
