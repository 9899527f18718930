// A service with designs, and the calls that their tests make.
import * as assert from 'uvu/assert';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { assetsPlugin } from '../../plugins/assets/index.ts';
import { brandPlugin } from '../../plugins/brand/index.ts';
import { designsPlugin } from '../../plugins/designs/index.ts';
import { linksPlugin } from '../../plugins/links/index.ts';
import { qrPlugin } from '../../plugins/qr/index.ts';
import { templatesPlugin } from '../../plugins/templates/index.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';
import type { TestDatabase } from './databases.ts';
import { noRateLimits } from './mail-bench.ts';
import { migratedTestService } from './migrated-tables.ts';

const plans = { pro: { ...noRateLimits, monthlyCredits: 0 } };
const plugins = [
  workspacePlugin(),
  templatesPlugin(),
  brandPlugin(),
  linksPlugin(),
  assetsPlugin(),
  qrPlugin(),
  designsPlugin(),
];

type Ids = 'workspace' | 'templates' | 'brand' | 'links' | 'assets' | 'qr' | 'designs';

/** Options of a call. */
interface CallOptions {
  readonly key?: string;
  readonly headers?: object;
}

/** The service with its helpers. */
export type DesignsBench = Awaited<ReturnType<typeof openDesignsBench>>;

/** Opens the bench. */
export async function openDesignsBench(database: TestDatabase, options: object = {}) {
  const test: TestService<Ids> = await migratedTestService(database, {
    plugins,
    plans,
    publicUrl: 'https://api.shop.example',
    ...options,
  });
  let calls = 0;
  const call = (path: string, method: string, body: object | undefined, { key, headers }: CallOptions = {}) => {
    calls += 1;
    return test.request(path, {
      method,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      headers: { 'idempotency-key': `designs-${calls}`, ...headers },
    });
  };
  const create = async (body: object, key?: CallOptions) => {
    const answer = await call('/v1/compositions', 'POST', body, key);
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const change = (id: string, body: object, key?: CallOptions) => call(`/v1/compositions/${id}`, 'PATCH', body, key);
  const render = (id: string, body: object, key?: CallOptions) =>
    call(`/v1/compositions/${id}/render`, 'POST', body, key);
  return {
    ...test,
    call,
    create,
    change,
    render,
    /** Draws these layers. Returns the bytes of the picture. */
    async draw(canvas: object, layers: readonly object[], body: object = { format: 'png' }): Promise<Buffer> {
      const { compositionId } = await create(canvas);
      const changed = await change(compositionId, { layers });
      assert.is(changed.status, 200, JSON.stringify(changed.body));
      const answer = await render(compositionId, body);
      assert.is(answer.status, 200, JSON.stringify(answer.body));
      return Buffer.from(answer.body.dataBase64, 'base64');
    },
    async asset(bytes: Buffer): Promise<string> {
      const answer = await call('/v1/assets', 'POST', { name: 'Picture', dataBase64: bytes.toString('base64') });
      assert.is(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.assetId;
    },
    balance: async (): Promise<number> => (await test.request('/v1/workspace')).body.usage.credits_balance,
  };
}
