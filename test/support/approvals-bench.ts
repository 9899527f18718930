// A service whose members ask for approvals and decide on them: ada writes, bea, cal and dan review.
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { AccessFunction, IssuedKey, Member } from '../../core/index.ts';
import type { TestRequest, TestResponse, TestService } from '../../hosts/testing/index.ts';
import { approvalsPlugin, type FixedPolicies } from '../../plugins/approvals/index.ts';
import { consolePlugin } from '../../plugins/console/index.ts';
import type { TestDatabase } from './databases.ts';
import { withFilledPlaceholders } from './fill-placeholders.ts';
import { noRateLimits } from './mail-bench.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';

const names = ['ada', 'bea', 'cal', 'dan'];

/** Every service opens its own database in memory. */
export const inMemory: TestDatabase = {
  name: 'sqlite',
  createStorage: () => sqliteStorage({ filename: ':memory:' }),
  newPrefix: () => 'postrider_',
};

/** The members of every workspace. Tests remove some of them. */
export const team = (): Member[] =>
  names.map((name) => ({ uid: `u_${name}`, name, email: `${name}@example.com`, role: 'member' }));

export type ApprovalsBench = Awaited<ReturnType<typeof openApprovalsBench>>;

interface ApprovalsBenchOptions {
  readonly publicUrl?: string;
  /** The member at the console (Default: nobody) */
  readonly access?: AccessFunction;
  /** The member at this machine, in development (Default: none, in production) */
  readonly localMember?: string;
}

/** Opens the bench with empty tables. `policies` are fixed by the program. */
export async function openApprovalsBench(
  database: TestDatabase,
  policies: FixedPolicies = {},
  { publicUrl, access, localMember }: ApprovalsBenchOptions = {},
) {
  let members = team();
  const plugins = bareStandardPlugins.map((plugin) => {
    if (plugin.id === 'approvals') return approvalsPlugin({ policies });
    return plugin.id === 'console' && localMember !== undefined ? consolePlugin({ localMember }) : plugin;
  });
  const bench = await migratedTestService(database, {
    plugins: plugins as unknown as typeof bareStandardPlugins,
    members: { list: async () => members },
    composer: { id: 'repeating', compose: async (task) => withFilledPlaceholders(task.embedded()) },
    plans: { pro: noRateLimits },
    ...(access === undefined ? {} : { access }),
    ...(localMember === undefined ? {} : { environment: 'development' as const }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  return {
    ...(await approvalsBenchOf(bench)),
    setMembers(change: (present: readonly Member[]) => Member[]) {
      members = change(team());
    },
  };
}

/** The members of a service with their keys, and their calls */
export async function approvalsBenchOf(bench: TestService<(typeof bareStandardPlugins)[number]['id']>) {
  const { service, workspaceId } = bench;
  const keyFor = (uids: readonly string[], scopes?: readonly string[]): Promise<IssuedKey> =>
    service.keys.create({
      workspaceId,
      name: uids.join(' ') || 'nobody',
      members: uids,
      ...(scopes === undefined ? { preset: 'full' as const } : { scopes }),
    });
  const keys = {
    ada: await keyFor(['u_ada']),
    bea: await keyFor(['u_bea']),
    cal: await keyFor(['u_cal']),
    dan: await keyFor(['u_dan']),
  };
  type Who = keyof typeof keys;
  let calls = 0;

  const send = (key: string, path: string, body: unknown, options: TestRequest = {}): Promise<TestResponse> => {
    calls += 1;
    return bench.request(path, {
      method: 'POST',
      key,
      body,
      ...options,
      headers: { 'idempotency-key': `approvals-${calls}`, ...options.headers },
    });
  };
  const by = (member: Who, path: string, body: unknown = {}, options: TestRequest = {}) =>
    send(keys[member].secret, path, body, options);

  const tool = async (key: string, name: string, args: object) => {
    const answer = await bench.request('/v1/mcp', {
      method: 'POST',
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      headers: { accept: 'application/json, text/event-stream' },
    });
    return answer.body.result;
  };

  const read = async (requestId: string) => (await bench.request(`/v1/approvals/requests/${requestId}`)).body;

  return {
    ...bench,
    keys,
    keyFor,
    send,
    by,
    tool,
    read,
    policy: (body: object, kind = 'email_template') =>
      bench.request(`/v1/approvals/policies/${kind}`, { method: 'PUT', body }),
    /** Publishes a template, and then edits it, so that a publish has something to approve. Returns the id of the template. */
    async edited(key: string, subject = 'Second'): Promise<string> {
      const creation = await send(keys.ada.secret, '/v1/templates', {
        key,
        mode: 'html',
        subject: 'First',
        body: '<p>Hi</p>',
      });
      await service.as(workspaceId).templates.publish({ key });
      await send(keys.ada.secret, `/v1/templates/${key}`, { subject }, { method: 'PATCH' });
      return creation.body.data.id;
    },
    publish: (key: string, member: Who = 'ada', body: object = {}) => by(member, `/v1/templates/${key}/publish`, body),
    edit: (key: string, body: object) => by('ada', `/v1/templates/${key}`, body, { method: 'PATCH' }),
    template: async (key: string) => (await bench.request(`/v1/templates/${key}`)).body,
    submit: (targetId: string, member: Who = 'ada', body: object = {}) =>
      by(member, '/v1/approvals/requests', { surfaceKind: 'email_template', targetId, ...body }),
    async approve(requestId: string, member: Who = 'bea', body: object = {}) {
      const { contentHash } = await read(requestId);
      return by(member, `/v1/approvals/pending/${requestId}/decide`, { decision: 'approve', contentHash, ...body });
    },
    decide: (requestId: string, body: object, member: Who = 'bea') =>
      by(member, `/v1/approvals/pending/${requestId}/decide`, body),
    withdraw: (requestId: string, member: Who = 'ada', body: object = {}) =>
      by(member, `/v1/approvals/requests/${requestId}/withdraw`, body),
  };
}
