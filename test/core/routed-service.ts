// Test services with public routes, called through dispatch.
import {
  definePlugin,
  definePublicRoute,
  type HttpRequest,
  type PublicRoute,
  type ServiceOptions,
} from '../../core/index.ts';
import { bodyBytes, createTestService } from '../../hosts/testing/index.ts';

type Declared = Omit<Parameters<typeof definePublicRoute>[0], 'description' | 'handler'> &
  Partial<Pick<PublicRoute, 'handler'>>;

/** A route that returns its own name */
export const routeNamed = (name: string, declared: Declared): PublicRoute =>
  definePublicRoute({
    description: name,
    handler: async () => ({ status: 200, headers: {}, body: name }),
    ...declared,
  });

export const pluginOf = (id: string, ...publicRoutes: PublicRoute[]) => definePlugin({ id, publicRoutes });

export async function withRoutes(
  plugins: ReturnType<typeof pluginOf>[],
  work: (
    ask: (url: string, more?: Partial<HttpRequest>) => Promise<[number, string]>,
    bench: Awaited<ReturnType<typeof createTestService>>,
  ) => Promise<void>,
  options: Partial<ServiceOptions<string>> = {},
): Promise<void> {
  const bench = await createTestService({ plugins, ...options });
  try {
    await work(async (url, more = {}) => {
      const request = { method: 'GET', url, headers: {}, body: undefined, address: '192.0.2.1', ...more };
      const { status, body } = await bench.service.dispatch(request);
      return [status, (await bodyBytes(body)).toString('utf8')];
    }, bench);
  } finally {
    await bench.close();
  }
}

export const codeOf = ([status, body]: [number, string]) => [
  status,
  (JSON.parse(body) as { error: { code: string } }).error.code,
];
