// A service with the standard plugins and an inbox, captured mail, and requests like those of a browser or of a user's test. For the
// tests of the inbox.
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { MemberAccess, WorkspaceAccess } from '../../core/index.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { bodyBytes } from '../../hosts/testing/body-bytes.ts';
import { createTestService, type ParsedJson, type TestService } from '../../hosts/testing/test-service.ts';
import type { OutgoingMail } from '../../plugins/email/port/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import type { TestDatabase } from './databases.ts';
import { noRateLimits } from './mail-bench.ts';
import { bareStandardPlugins } from './plugins.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

/** An answer of the inbox. */
export interface InboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body, parsed. */
  readonly json: ParsedJson;
}

/** A request to the inbox. */
export interface InboxBenchRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** A service under test with its inbox. */
export interface InboxBench extends TestService<StandardIds> {
  /** Requests a path below /inbox, from this machine unless the headers or the address name another client. */
  ask(path: string, request?: InboxBenchRequest): Promise<InboxResponse>;
  publish(key: string, content?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Sends and delivers a template, with the sandbox key by default. Returns the send's id. */
  send(template: string, body: object, key?: string): Promise<string>;
  /** Creates a send whose mail cannot be composed, because its draft does not compile. Returns the id of the send. */
  sendBroken(): Promise<string>;
  /** Captures a mail for a send that need not exist. */
  keep(id: string, mail?: Partial<OutgoingMail>): Promise<void>;
  /** The messages of the inbox, newest first. */
  messages(query?: string): Promise<ParsedJson[]>;
}

/** Options of `openInboxBench`. */
export interface InboxBenchOptions extends Partial<ServiceOptions<StandardIds>> {
  readonly database?: TestDatabase;
}

const anyMail: OutgoingMail = {
  messageId: '<msg_1@example.com>',
  from: { email: 'hello@example.com' },
  to: { email: 'kept@example.com' },
  subject: 'Kept',
  html: '<p>Kept</p>',
  text: 'Kept',
  headers: {},
  attachments: [],
  date: new Date(0),
};

const html = '<!doctype html><html><body><p>Hello {{name}}</p><a href="https://example.com/go">Go</a></body></html>';

/** Opens a bench, with new tables of the database or in memory. */
export async function openInboxBench({ database, ...options }: InboxBenchOptions = {}): Promise<InboxBench> {
  const storageOptions =
    database === undefined
      ? { storage: sqliteStorage({ filename: ':memory:' }) }
      : { storage: database.createStorage(), tablePrefix: database.newPrefix() };
  const test = await createTestService<StandardIds>({
    ...storageOptions,
    ...options,
    plans: { hobby: noRateLimits, pro: noRateLimits },
    plugins: bareStandardPlugins,
  });
  let calls = 0;
  const bench: InboxBench = {
    ...test,

    async ask(path, { method = 'GET', body, headers = {}, address = '127.0.0.1' } = {}) {
      const response = await test.service.dispatch({
        method,
        url: `/inbox${path}`,
        headers: {
          host: 'localhost:3000',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        address,
      });
      const bytes = await bodyBytes(response.body);
      const text = bytes.toString('utf8');
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        get json(): ParsedJson {
          return JSON.parse(text);
        },
      };
    },

    async publish(key, content = {}) {
      const { templates } = test.service.as(test.workspaceId);
      await templates.create({ key, mode: 'html', subject: 'Hello {{name}}', body: html, ...content });
      await templates.publish({ key });
    },

    async send(template, body, key = test.testKey) {
      calls += 1;
      const headers = { 'idempotency-key': `call-${calls}` };
      const response = await test.request(`/v1/templates/${template}/send`, { body, key, headers });
      if (response.status !== 202) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
      await test.drain();
      return response.body.id;
    },

    async sendBroken() {
      const { templates } = test.service.as(test.workspaceId);
      await templates.create({ key: 'broken', mode: 'mjml', subject: 'Broken', body: '<mjml><mj-nonsense/></mjml>' });
      return bench.send('broken', { to: 'ada@example.com', variables: {} });
    },

    async keep(id, mail = {}) {
      const { core } = test.service;
      const send = { id, templateKey: 'kept', origin: 'sandbox' } as const;
      const workspace = await readWorkspace(core, test.workspaceId);
      await inWorkspace(core, workspace, async (ctx) => {
        await core.services.inbox?.store(ctx, { send, mail: { ...anyMail, ...mail } });
      });
    },

    async messages(query = '') {
      const { status, text, json } = await bench.ask(`/messages${query}`);
      if (status !== 200) throw new Error(`${status}: ${text}`);
      return json.data;
    },
  };
  return bench;
}

/** A member of the program's team with these workspaces. */
export const staff = (
  workspaceIds: readonly string[],
  rights: Omit<WorkspaceAccess, 'id'> = { scopes: 'full' },
): MemberAccess => ({ member: 'u_sue', name: 'Sue', workspaces: workspaceIds.map((id) => ({ id, ...rights })) });

/** Every route. `id` is the only message. */
export const routesOf = (id: string): readonly (readonly [string, string, unknown?])[] => [
  ['GET', ''],
  ['GET', `/m/${id}`],
  ['GET', '/assets/inbox.js'],
  ['GET', '/workspaces'],
  ['GET', '/example'],
  ['GET', '/messages'],
  ['GET', `/messages/${id}`],
  ['GET', `/messages/${id}/html`],
  ['GET', `/messages/${id}/text`],
  ['GET', `/messages/${id}/source`],
  ['GET', `/messages/${id}/attachments/0`],
  ['GET', `/sends/${id}`],
  ['POST', '/messages/seen'],
  ['POST', `/messages/${id}/seen`],
  ['POST', `/messages/${id}/reports`, { type: 'delivered' }],
  ['DELETE', `/messages/${id}`],
  ['DELETE', '/messages'],
];

const attachments = [{ filename: 'a.txt', content_type: 'text/plain', data_base64: 'YQ==' }];

/** Runs a test with an inbox that contains one message. */
export async function withInbox(
  options: InboxBenchOptions,
  run: (bench: InboxBench, id: string) => Promise<void>,
): Promise<void> {
  const bench = await openInboxBench(options);
  try {
    await bench.publish('hello');
    await run(bench, await bench.send('hello', { to: 'ada@example.com', variables: { name: 'Ada' }, attachments }));
  } finally {
    await bench.close();
  }
}
