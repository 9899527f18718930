// The service that the fault tests run: the standard plugins on a real database, a workspace without limits, and two published
// templates, delivered at least once and at most once. Used by the tests and by their processes.
import { localKeyring } from '../../adapters/keyring/local.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { type SqliteOptions, sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { Plan } from '../../core/contract/context/workspace.ts';
import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import type { HttpResponse } from '../../core/contract/http/http.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { subscribeToAllEvents } from '../../hosts/testing/subscribe-to-all-events.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { postgresUrl } from '../support/postgres-server.ts';

/** The location of a service's data, as plain data that can be passed to another process. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly filename: string; readonly synchronous?: SqliteOptions['synchronous'] }
  | { readonly kind: 'postgres'; readonly schema: string; readonly url?: string }
  | { readonly kind: 'mariadb'; readonly uri: string };

/** A new adapter for the location, as another process would create it. */
export function storageOf(location: DatabaseLocation): StorageAdapter {
  if (location.kind === 'postgres') {
    const { schema, url } = location;
    return postgresStorage({ connectionString: url ?? postgresUrl, schema, maxConnections: 8 });
  }
  if (location.kind === 'mariadb') return mysqlStorage({ uri: location.uri, maxConnections: 8 });
  const { filename, synchronous } = location;
  return sqliteStorage({ filename }, synchronous === undefined ? {} : { synchronous });
}

const unlimited: Partial<Omit<Plan, 'name' | 'tier'>> = {
  keyRate: Number.POSITIVE_INFINITY,
  keyBurst: Number.POSITIVE_INFINITY,
  workspacePerMinute: Number.POSITIVE_INFINITY,
  monthlySendBudget: 1_000_000,
};

/** The options that differ between fault tests. */
export type MailServiceOptions = Pick<
  ServiceOptions<string>,
  'storage' | 'mail' | 'onPhase' | 'settings' | 'logger' | 'outgoing' | 'queue' | 'requestLog'
> & {
  /** Plugins in addition to the standard plugins. (Default: none) */
  readonly morePlugins?: readonly Plugin[];
};

/** Composes the service. All services share one keyring, as the processes of one program do. */
export function createMailService({ morePlugins = [], ...options }: MailServiceOptions): Service {
  return createService<string>({
    environment: 'production',
    keyring: localKeyring({ keys: [{ id: 'faults', secret: 'a secret for fault tests only 32 b' }] }),
    plans: { scale: unlimited },
    ...options,
    plugins: [...standardPlugins, ...morePlugins],
  });
}

const templates = { 'at-least-once': 'fault-receipt', 'at-most-once': 'fault-code' } as const;

/** The delivery guarantee of a template. */
export type DeliveryGuarantee = keyof typeof templates;

/** The workspace that requests use. */
export interface SeededWorkspace {
  readonly workspaceId: string;
  /** The secret of a live key with every scope. */
  readonly apiKey: string;
}

/** Migrates an empty database and creates the workspace, its key and its templates. */
export async function seed(service: Service): Promise<SeededWorkspace> {
  await service.migrate();
  const { id: workspaceId } = await service.workspaces.create({
    name: 'Faults',
    plan: 'scale',
    defaultFrom: { email: 'hello@example.com', name: 'Example' },
  });
  await subscribeToAllEvents(service, workspaceId);
  const { secret: apiKey } = await service.keys.create({ workspaceId, name: 'faults', preset: 'full' });
  for (const [delivery, key] of Object.entries(templates)) {
    const content = { key, delivery, mode: 'html', subject: 'For {{name}}', body: '<p>This is for {{name}}.</p>' };
    await expectStatus(201, service, apiKey, '/v1/templates', content);
    await expectStatus(200, service, apiKey, `/v1/templates/${key}/publish`, {});
  }
  return { workspaceId, apiKey };
}

async function expectStatus(
  status: number,
  service: Service,
  apiKey: string,
  url: string,
  body: unknown,
): Promise<void> {
  const response = await post(service, apiKey, url, body, `seed ${url}`);
  if (response.status !== status) throw new Error(`${url} answered ${response.status}: ${String(response.body)}`);
}

/** A POST through REST. */
export function post(
  service: Service,
  apiKey: string,
  url: string,
  body: unknown,
  idempotencyKey: string,
): Promise<HttpResponse> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  };
  return service.dispatch({ method: 'POST', url, headers, body: JSON.stringify(body), address: '127.0.0.1' });
}

/** The request for a key. It is always the same, so that a retry repeats it. */
export function requestOf(key: string): { readonly url: string; readonly body: object } {
  return {
    url: `/v1/templates/${templates[deliveryOf(key)]}/send`,
    body: { to: recipientOf(key), variables: { name: key } },
  };
}

/** Keys that begin with `once` use the template that is delivered at most once. */
export const deliveryOf = (key: string): DeliveryGuarantee =>
  key.startsWith('once') ? 'at-most-once' : 'at-least-once';

/** The recipient for a key, unique to the key. */
export const recipientOf = (key: string): string => `${key}@example.net`;

/** Sends the request of `key` through REST. */
export function send(service: Service, apiKey: string, key: string): Promise<HttpResponse> {
  const { url, body } = requestOf(key);
  return post(service, apiKey, url, body, key);
}
