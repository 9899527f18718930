// Helpers for tests of assets: a service with a store, and calls on it as API callers and browsers make them.
import * as assert from 'uvu/assert';
import { bodyBytes } from '../../hosts/testing/body-bytes.ts';
import type { AssetStore } from '../../plugins/assets/port/index.ts';
import { assetsPlugin } from '../../plugins/index.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';

const address = '127.0.0.1';

/** The standard plugins, with a limit of 40,000 bytes for workspaces of the smaller plans. */
export const assetPlugins = bareStandardPlugins.map((plugin) =>
  plugin.id === 'assets'
    ? assetsPlugin({ limits: { assetBytes: (workspace) => (workspace.plan.tier > 3 ? 1e9 : 40_000) } })
    : plugin,
);

/** Opens a service with this store. */
export const openAssetService = (database: TestDatabase, assets: AssetStore, options = {}) =>
  migratedTestService(database, {
    plugins: assetPlugins,
    assets,
    publicUrl: 'http://post.example',
    ...options,
  } as never);

/** The service with its helpers. */
export type AssetService = Awaited<ReturnType<typeof openAssetService>>;

/** Calls on the current service. */
export function assetCalls(current: () => AssetService) {
  const create = (body: object, key?: string) =>
    current().request('/v1/assets', { body: { name: 'A file', ...body }, ...(key === undefined ? {} : { key }) });
  const ready = async (bytes: Buffer, body: object = {}, key?: string) => {
    const answer = await create({ dataBase64: bytes.toString('base64'), ...body }, key);
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const readAsset = async (id: string) => (await current().request(`/v1/assets/${id}`)).body;
  const remove = (id: string, key?: string) =>
    current().request(`/v1/assets/${id}`, { method: 'DELETE', ...(key === undefined ? {} : { key }) });
  const pathOf = (url: string) => url.replace('http://post.example', '');
  const get = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await current().service.dispatch({ method, url: pathOf(url), headers, body: undefined, address });
    return { status: answer.status, headers: answer.headers, bytes: await bodyBytes(answer.body) };
  };
  const putBytes = async (url: string, headers: Record<string, string>, bytes: Buffer, size = 7_000) => {
    async function* body() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const answer = await current().service.dispatch({
      method: 'PUT',
      url: pathOf(url),
      headers: lower,
      body: body(),
      address,
    });
    return { status: answer.status, body: JSON.parse((await bodyBytes(answer.body)).toString() || 'null') };
  };
  return { create, ready, read: readAsset, remove, pathOf, get, put: putBytes };
}
