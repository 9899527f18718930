// A service with a brand, and the page calls that its tests make.
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/index.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import type { AssetStore } from '../../plugins/assets/port/index.ts';
import type { Section } from '../../plugins/pages/index.ts';
import { png } from './asset-files.ts';
import type { TestDatabase } from './databases.ts';
import { writePage } from './fill-placeholders.ts';
import { noRateLimits } from './mail-bench.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';

export const brief =
  'A page for our course “Our sourdough course”. It starts on 3 March 2027 and costs €120. Six evenings for beginners. The page should convince owners of shops. Warm and plain.';
export const day = 86_400_000;
export const publicUrl = 'https://app.bakery.example/hub';

export type PagesBench = TestService<(typeof bareStandardPlugins)[number]['id']>;

/** Opens the bench with empty tables, and with other plugins or another asset store if a test passes them. */
export async function openPagesBench(
  database: TestDatabase,
  options: { readonly plugins?: typeof bareStandardPlugins; readonly assets?: AssetStore } = {},
): Promise<PagesBench> {
  const bench = await migratedTestService(database, {
    plugins: bareStandardPlugins,
    publicUrl,
    plans: { pro: { ...noRateLimits, monthlyCredits: 0 } },
    ...options,
  });
  await bench.service.as(bench.workspaceId).brand.create({ name: 'Bakery Northwind' });
  return bench;
}

/** Calls on the current bench. */
export function pageCalls(current: () => PagesBench) {
  let calls = 0;
  const call = (path: string, method: string, body?: object, key = current().liveKey, headers: object = {}) => {
    calls += 1;
    return current().request(`/v1/pages${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      key,
      headers: { 'idempotency-key': `pages-${calls}`, ...headers },
    });
  };
  const create = async (body: object = {}, key?: string) => (await call('', 'POST', { brief, ...body }, key)).body;
  const readPage = async (id: string, key?: string) => (await call(`/${id}`, 'GET', undefined, key)).body;
  const full = async (id: string): Promise<readonly Section[]> =>
    (await call(`/${id}?sections=full`, 'GET')).body.sections;
  const patch = (id: string, body: object) => call(`/${id}`, 'PATCH', body);
  const publish = (id: string, body: object = {}, key?: string) => call(`/${id}/publish`, 'POST', body, key);
  const balance = async (): Promise<number> => (await current().request('/v1/workspace')).body.usage.credits_balance;
  const faultOf = ({ body }: { body: { error: { details?: { path: string }[] } } }) => body.error.details?.[0]?.path;
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];
  /** Creates a page and builds it. It still has placeholders. Returns its id. */
  const createBuilt = async (body: object = {}): Promise<string> => {
    const { id } = await create({ length: 'short', ...body });
    await current().drain();
    return id;
  };
  /** Creates a page, builds it and fills its placeholders. Returns its id. */
  const ready = async (body: object = {}): Promise<string> => {
    const id = await createBuilt(body);
    await writePage(current().service.as(current().workspaceId), id);
    return id;
  };
  const services = () => current().service.core.services;
  const reading = async <T>(work: (handle: WorkspaceHandle) => Promise<T>): Promise<T> =>
    (await current().service.core.database()).read(current().workspaceId, (handle) => work(handle.onSide(false)));
  const atSlug = (slug: string) => reading((handle) => services().pages.atSlug(handle, slug, current().now()));
  const asset = async (): Promise<string> => {
    calls += 1;
    const body = { name: 'Bread', dataBase64: png(4 + (calls % 90), 4).toString('base64') };
    const answer = await current().request('/v1/assets', { body, headers: { 'idempotency-key': `asset-${calls}` } });
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.assetId;
  };
  return {
    call,
    create,
    read: readPage,
    full,
    patch,
    publish,
    balance,
    faultOf,
    codeOf,
    built: createBuilt,
    ready,
    services,
    reading,
    atSlug,
    asset,
  };
}
