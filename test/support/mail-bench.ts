// The standard plugins without the starter templates, a real SMTP server, no rate limits, and all log lines. For the tests of
// features: requests enter through REST and tools, and mail leaves over SMTP.
import type { Email } from 'postal-mime';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { Service } from '../../core/kernel/compose.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import type { TestRequest, TestResponse, TestService } from '../../hosts/testing/test-service.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import type { TestDatabase } from './databases.ts';
import { migratedTestService } from './migrated-tables.ts';
import { bareStandardPlugins } from './plugins.ts';
import { parseRaw } from './received-mail.ts';
import { SmtpSink } from './smtp-sink.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

/** A tool's answer: the REST body, or the envelope of its error. */
export interface ToolResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly body: TestResponse['body'];
}

/** A service under test with its mail server. */
export interface MailBench extends TestService<StandardIds> {
  readonly service: Service<StandardIds>;
  readonly sink: SmtpSink;
  /** Every line that the service logged, at every level. */
  readonly logged: string[];
  /** Creates and publishes a template. The default is an HTML mail with the variable `name`; `content` replaces its fields. */
  publish(key: string, content?: Readonly<Record<string, unknown>>): Promise<void>;
  /** POST /v1/templates/{template}/send, with a new Idempotency-Key unless `headers` contain a key. */
  send(template: string, body: unknown, request?: TestRequest): Promise<TestResponse>;
  tool(name: string, args: unknown, key?: string): Promise<ToolResponse>;
  /** The messages that the mail server accepted, parsed. */
  received(): Promise<Email[]>;
  /** GET /v1/sends/{id}, with the live or sandbox key, depending on the send. */
  readSend(id: string): Promise<TestResponse['body']>;
}

/** Plan limits without rate limits. */
export const noRateLimits = {
  keyRate: Number.POSITIVE_INFINITY,
  keyBurst: Number.POSITIVE_INFINITY,
  workspacePerMinute: Number.POSITIVE_INFINITY,
} as const;

const html = '<html><body><p>Hello {{name}}</p></body></html>';
/** The unsubscribe link that marketing mail needs in each language. */
const leave = '<a href="%unsubscribe_url%">Unsubscribe</a>';

/** Opens a bench with new tables of the database. `options` replace the options of the bench. */
export async function openMailBench(
  database: TestDatabase,
  options: Partial<ServiceOptions<StandardIds>> = {},
): Promise<MailBench> {
  const sink = await SmtpSink.start();
  const logLines: string[] = [];
  const log = (fields: Record<string, unknown>, message: string) => {
    logLines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const { plans, plugins = bareStandardPlugins, ...rest } = options;
  const test = await migratedTestService<StandardIds>(database, {
    mail: smtpMail({ host: sink.host, port: sink.port, tls: { rejectUnauthorized: false } }),
    logger: { debug: log, info: log, warn: log, error: log },
    ...rest,
    plans: { ...plans, hobby: { ...noRateLimits, ...plans?.hobby }, pro: { ...noRateLimits, ...plans?.pro } },
    plugins,
  });
  let calls = 0;
  const expect = (status: number, response: TestResponse): void => {
    if (response.status !== status) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
  };
  return {
    ...test,
    sink,
    logged: logLines,
    async publish(key, content = {}) {
      const defaultContent = content['category'] === 'marketing' ? html.replace('</body>', `${leave}</body>`) : html;
      const body = { key, mode: 'html', subject: 'Hello {{name}}', body: defaultContent, ...content };
      expect(201, await test.request('/v1/templates', { body }));
      expect(200, await test.request(`/v1/templates/${key}/publish`, { body: {} }));
    },
    send(template, body, { headers = {}, ...request } = {}) {
      calls += 1;
      return test.request(`/v1/templates/${template}/send`, {
        body,
        ...request,
        headers: { 'idempotency-key': `call-${calls}`, ...headers },
      });
    },
    async tool(name, args, key = test.liveKey) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const { status, headers, body } = await test.request('/v1/mcp', { key, body: message });
      const result = body.result ?? {};
      return {
        status,
        headers,
        isError: result.isError === true,
        meta: result._meta ?? {},
        body: result.structuredContent ?? body,
      };
    },
    received: () => Promise.all(sink.messages.map(({ raw }) => parseRaw(raw))),
    async readSend(id) {
      const live = await test.request(`/v1/sends/${id}`);
      const response = live.status === 404 ? await test.request(`/v1/sends/${id}`, { key: test.testKey }) : live;
      expect(200, response);
      return response.body;
    },
    async close() {
      await test.close();
      await sink.stop();
    },
  };
}
