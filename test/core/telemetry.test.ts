// One trace from a request to the provider across two processes, the metrics of GET /metrics, health and readiness. Also a search for
// planted values: no span, metric, log line or error contains the values of addresses, variables, bodies and secrets.
// full-run: slow
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, metrics as otelMetrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { defineJob, definePlugin, definePublicRoute, z } from '../../core/index.ts';
import { createService } from '../../core/kernel/compose.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import { instruments, prometheusName, secondsBounds } from '../../core/telemetry/metrics.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('telemetry');

const spans = new InMemorySpanExporter();
const measures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measures, exportIntervalMillis: 3_600_000 });
const token = 'the token of the metrics';

// This comes before the first call, because the service then looks for an SDK, and only rarely afterwards.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
otelMetrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

const folder = await mkdtemp(join(tmpdir(), 'postrider-telemetry-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const lines: string[] = [];
const log = (level: string) => (fields: Record<string, unknown>, message: string) =>
  void lines.push(JSON.stringify({ level, message, ...fields }));
const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };

/** A service on the same database, like a separate process */
function open(more: Partial<ServiceOptions<string>> = {}) {
  return createService<string>({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: join(folder, 'telemetry.db') }),
    mail: captureMail(),
    keyring: localKeyring({ keys: [{ id: 'k', secret: 'a secret for these tests only 32 b' }] }),
    metrics: { token },
    logger,
    ...more,
  } as ServiceOptions<string>);
}
type AnyService = ReturnType<typeof open>;

const ask = (service: AnyService, path: string, headers: Record<string, string> = {}, body?: object) =>
  service.dispatch({
    method: body === undefined ? 'GET' : 'POST',
    url: path,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    address: '127.0.0.1',
    body: body === undefined ? undefined : JSON.stringify(body),
  });

const canary = {
  address: 'canary-person@canary.example',
  variable: 'canary-variable-4711',
  subject: 'canary-subject-4712',
  body: 'canary-body-4713',
  phone: '+1 415 555 0173',
};

async function seed(service: AnyService): Promise<string> {
  await service.migrate();
  const { id } = await service.workspaces.create({
    name: 'Acme',
    plan: 'scale',
    defaultFrom: { email: 'hello@example.com', name: 'Acme' },
  });
  const calls = service.as(id) as unknown as {
    templates: Record<'create' | 'publish', (input: object) => Promise<unknown>>;
  };
  const source = `<p>{{name}} ${canary.body}</p>`;
  await calls.templates.create({ key: 'note', mode: 'html', subject: `${canary.subject} {{name}}`, body: source });
  await calls.templates.publish({ key: 'note' });
  return (await service.keys.create({ workspaceId: id, name: 'live', preset: 'full' })).secret;
}

const front = open();
const key = await seed(front);
const above = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const sendBody = { template: 'note', to: canary.address, variables: { name: canary.variable } };

test('a send is one trace from the request to the provider in another process', async () => {
  spans.reset();
  const authorization = `Bearer ${key}`;
  const traceparent = `00-${above.traceId}-${above.spanId}-01`;
  const path = '/v1/transactional/send';
  const { status, body } = await ask(front, path, { authorization, traceparent, 'idempotency-key': 'one' }, sendBody);
  assert.is(status, 202, String(body));
  const back = open();
  await back.drain();
  await back.stop();
  const all = spans.getFinishedSpans().filter((span) => span.spanContext().traceId === above.traceId);
  const spanNamed = (name: string): ReadableSpan => {
    const found = all.find((span) => span.name === name);
    if (found === undefined) throw new Error(`There is no span ${name}: ${all.map((span) => span.name).join(', ')}`);
    return found;
  };
  const chain = [
    spanNamed(`POST ${path}`),
    spanNamed('email.send_alias'),
    spanNamed('process email.deliver'),
    spanNamed('send mail'),
  ];
  const parents = [above.spanId, ...chain.slice(0, -1).map((span) => span.spanContext().spanId)];
  assert.equal(
    chain.map((span) => span.parentSpanContext?.spanId),
    parents,
  );
  assert.equal(
    chain.map(({ kind }) => kind),
    [1, 0, 4, 2],
  );
  assert.is(chain[0]?.attributes['http.response.status_code'], 202);
  assert.is(chain[2]?.attributes['messaging.system'], 'postrider');
});

test('the effects of an event belong to the trace of the call that emitted it', async () => {
  spans.reset();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const authorization = `Bearer ${key}`;
  const causedPlugin = definePlugin({
    id: 'caused',
    jobs: [defineJob({ kind: 'caused.later', payload: z.object({}), handler: async () => undefined })],
    subscribers: [
      {
        name: 'follow',
        event: 'send.queued',
        handler: (job) =>
          job.complete(async (ctx) => void ctx.enqueue({ kind: 'caused.later', payload: {} }), {
            shared: true,
          }),
      },
    ],
  });
  const service = open({ plugins: [...standardPlugins, causedPlugin], outgoing: { allow: ['127.0.0.1'] } });
  // The port is closed, and the test counts the attempt.
  const webhook = { url: 'http://127.0.0.1:61999/hook', events: ['send.queued'] };
  const webhookAnswer = await ask(service, '/v1/webhooks', { authorization }, webhook);
  assert.is(webhookAnswer.status, 201, String(webhookAnswer.body));
  const traceparent = `00-${traceId}-${above.spanId}-01`;
  const headers = { authorization, traceparent, 'idempotency-key': 'caused' };
  const answer = await ask(service, '/v1/transactional/send', headers, sendBody);
  assert.is(answer.status, 202, String(answer.body));
  await service.drain();
  await service.stop();
  const all = spans.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  const parentOf = (name: string): string | undefined => {
    const id = all.find((span) => span.name === name)?.parentSpanContext?.spanId;
    return all.find((span) => span.spanContext().spanId === id)?.name;
  };
  assert.is(parentOf('process on:caused.follow'), 'email.send_alias');
  assert.is(parentOf('process caused.later'), 'process on:caused.follow');
  assert.is(parentOf('process events.dispatch'), 'email.send_alias');
  assert.is(parentOf('process webhooks.deliver'), 'process events.dispatch');
});

test('a webhook to an address that production refuses counts as a failed attempt, with the message of the refusal', async () => {
  const authorization = `Bearer ${key}`;
  const webhook = { url: 'http://localhost:61999/hook', events: ['send.queued'] };
  const webhookAnswer = await ask(front, '/v1/webhooks', { authorization }, webhook);
  assert.is(webhookAnswer.status, 201, String(webhookAnswer.body));
  const { id } = JSON.parse(String(webhookAnswer.body)) as { id: string };
  const production = open({ environment: 'production' });
  const headers = { authorization, 'idempotency-key': 'refused' };
  assert.is((await ask(production, '/v1/transactional/send', headers, sendBody)).status, 202);
  await production.drain();
  const metrics = String((await ask(production, '/metrics', { authorization: `Bearer ${token}` })).body);
  const path = `/v1/webhooks/${id}/deliveries`;
  const { data } = JSON.parse(String((await ask(production, path, { authorization })).body)) as {
    data: { status: string; attempts: { error: string }[] }[];
  };
  await production.stop();
  assert.equal(
    data.map(({ status, attempts }) => [status, attempts.map(({ error }) => error)]),
    [['pending', ['localhost may be called only over https: begin the URL with https://.']]],
  );
  const results = [...metrics.matchAll(/^messaging_process_duration_seconds_count\{(.*webhooks\.deliver.*)\} \d+$/gm)];
  assert.ok(results.length > 0);
  for (const [, labels = ''] of results) assert.match(labels, /postrider_job_result="failed"/);
});

test('a mail and an SMS that their providers reject count as failed attempts', async () => {
  const send = async () => Promise.reject(new Error('The socket broke.'));
  const close = async () => undefined;
  const sms = { id: 'broken', capabilities: { captures: false }, sender: '+12025550100', send, close };
  const service = open({ mail: { ...captureMail(), id: 'broken', send }, sms } as never);
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'not taken' };
  const text = { templateKey: 'auth_login_code', to: '+14155550123', variables: { code: '482913' } };
  for (const [path, body] of Object.entries({ 'transactional/send': sendBody, 'messaging/transactional': text })) {
    const answer = await ask(service, `/v1/${path}`, headers, body);
    assert.is(answer.status, 202, String(answer.body));
  }
  await service.drain();
  const metrics = String((await ask(service, '/metrics', { authorization: `Bearer ${token}` })).body);
  await service.stop();
  for (const kind of ['email.deliver', 'sms.deliver']) {
    const attempts = metrics.split('\n').filter((line) => line.includes('_count{') && line.includes(`kind="${kind}"`));
    assert.ok(attempts.length > 0, kind);
    for (const line of attempts) assert.match(line, /postrider_job_result="failed"/);
  }
});

test('a refusal is recorded by its error code', async () => {
  spans.reset();
  const refusedBody = { ...sendBody, template: 'missing' };
  await ask(front, '/v1/transactional/send', { authorization: `Bearer ${key}`, 'idempotency-key': 'two' }, refusedBody);
  const span = spans.getFinishedSpans().find(({ name }) => name === 'email.send_alias');
  assert.is(span?.attributes['error.type'], 'template_not_found');
});

test('GET /metrics returns the metrics with its token and 404 without it', async () => {
  assert.is((await ask(front, '/metrics')).status, 404);
  assert.is((await ask(front, '/metrics', { authorization: 'Bearer another token of it' })).status, 404);
  const { status, body } = await ask(front, '/metrics', { authorization: `Bearer ${token}` });
  assert.is(status, 200);
  const text = String(body);
  assert.match(
    text,
    /http_server_request_duration_seconds_count\{http_request_method="POST",http_route="\/v1\/transactional\/send",http_response_status_code="202"\} 1\n/,
  );
  assert.match(text, /^postrider_jobs\{postrider_job_state="ready"\} \d+$/m);
  for (const line of text.trimEnd().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+\{([a-z_]+="[^"]*",?)*\} [0-9.e+-]+)$/);
});

test('without the database, GET /metrics still has the metrics of the process, and one log line reports the missing jobs', async () => {
  const database = new BetterSqlite(':memory:');
  const service = open({ storage: sqliteStorage({ database }) });
  await service.migrate();
  const scrape = async () => ask(service, '/metrics', { authorization: `Bearer ${token}` });
  assert.match(String((await scrape()).body), /postrider_jobs/);
  database.close();
  const before = lines.length;
  for (let times = 0; times < 3; times += 1) {
    const { status, body } = await scrape();
    assert.is(status, 200);
    assert.match(String(body), /http_server_request_duration_seconds_count/);
    assert.not.match(String(body), /^postrider_jobs\{/m);
  }
  assert.is(lines.slice(before).filter((line) => line.includes('counting jobs for the metrics fails')).length, 1);
  await service.stop();
});

test('every metric in the dashboard and alerts exists, and the dashboard shows every metric', async () => {
  const dashboard = JSON.parse(await readFile('docs/grafana-dashboard.json', 'utf8')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const names = Object.values(instruments).map(prometheusName);
  const metricOf = (name: string, expr: string): string => {
    const base = names.find((one) => name === one || new RegExp(`^${one}_(bucket|count|sum)$`).test(name));
    assert.ok(base !== undefined, `${name} in ${expr}`);
    return base;
  };
  const metricsOf = (expr: string): string[] =>
    [...expr.replace(/by \([^)]*\)/g, '').matchAll(/(http_server|postrider|messaging)_[a-z_]*(?=[[{)])/g)].map(
      ([name]) => metricOf(name, expr),
    );
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.ok(expressions.length > 5);
  const shownMetrics = new Set(expressions.flatMap(metricsOf));
  const rules = [...(await readFile('docs/observability.md', 'utf8')).matchAll(/^ {8}expr: (.+)$/gm)];
  assert.ok(rules.length > 3 && rules.every(([, rule = '']) => metricsOf(rule).length > 0));
  assert.equal([...shownMetrics].sort(), [...names].sort(), 'the dashboard does not show this metric');
  // A quantile is never above the highest bucket, so a higher threshold would never be reached.
  const quantiles = rules.flatMap(([, rule = '']) => [...rule.matchAll(/^histogram_quantile\(.*\) >=? (\d+)$/g)]);
  assert.ok(quantiles.length > 0);
  for (const [rule, threshold] of quantiles) {
    assert.ok(Number(threshold) <= (secondsBounds.at(-1) ?? 0), rule);
    assert.match(rule, />= /);
  }
});

test('health and readiness are public, and readiness fails without the database', async () => {
  assert.equal((await ask(front, '/v1/health')).body, '{"status":"ok"}');
  assert.equal((await ask(front, '/v1/health/ready')).body, '{"status":"ready"}');
  const withoutDatabase = open({ storage: sqliteStorage({ filename: join(folder, 'missing', 'x', 'none.db') }) });
  const { status, body } = await ask(withoutDatabase, '/v1/health/ready');
  assert.is(status, 503);
  assert.is(body, '{"status":"not_ready"}');
  assert.is((await ask(withoutDatabase, '/v1/health')).status, 200);
  await withoutDatabase.stop();
});

test('a readiness failure is logged once with its cause, and its end is logged once', async () => {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, text?: string) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields)}`);
  let isAway = true;
  const check = async () => {
    if (isAway) throw new Error('the broker is unavailable');
  };
  const service = open({
    storage: sqliteStorage({ filename: ':memory:' }),
    queue: {
      id: 'test',
      send: async () => undefined,
      consume: () => ({ stop: async () => undefined }),
      check,
      close: async () => undefined,
    } as never,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  });
  await service.migrate();
  const isReady = async () => (await ask(service, '/v1/health/ready')).status === 200;
  const readinessLines = () => lines.splice(0).filter((line) => line.includes('readiness'));
  assert.equal([await isReady(), await isReady()], [false, false]);
  const [failing, ...more] = readinessLines();
  assert.match(failing ?? '', /^warn the readiness check fails.*the broker is unavailable/);
  assert.equal(more, []);
  isAway = false;
  assert.equal([await isReady(), await isReady()], [true, true]);
  assert.equal(readinessLines(), ['warn the readiness check works again {}']);
  await service.stop();
});

test('no planted value is in a span, a metric, a log line or an error', async () => {
  const authorization = `Bearer ${key}`;
  // Messages as vendors write them: the address in the text, in a URL and as a code
  const url = `https://vendor.example/to/${encodeURIComponent(canary.address)}?from=${canary.address}`;
  const refusal = new TypeError(`No such user <${canary.address}> (${canary.phone}), see ${url}`);
  const refuse = async () => Promise.reject(Object.assign(refusal, { code: canary.address }));
  const failing = { ...captureMail(), id: 'failing', send: refuse };
  const vendor = definePlugin({
    id: 'vendor',
    publicRoutes: [definePublicRoute({ http: 'GET /vendor', description: 'Asks the vendor.', handler: refuse })],
  });
  const failingService = open({ mail: failing, plugins: [...standardPlugins, vendor] } as never);
  const errors: string[] = [];
  for (const [index, body] of [
    sendBody,
    { ...sendBody, to: `${canary.address} not an address` },
    { ...sendBody, variables: { [canary.variable]: canary.variable } },
    { ...sendBody, template: canary.variable },
  ].entries()) {
    const headers = { authorization, 'idempotency-key': `planted ${index}` };
    const answer = await ask(failingService, '/v1/transactional/send', headers, body);
    if (answer.status >= 500) errors.push(String(answer.body));
  }
  await ask(failingService, `/v1/${canary.variable}`, { authorization });
  await ask(failingService, '/v1/sends', { authorization: `Bearer ${canary.variable}` });
  assert.is((await ask(failingService, '/vendor')).status, 500);
  await failingService.drain();
  const metricsText = String((await ask(failingService, '/metrics', { authorization: `Bearer ${token}` })).body);
  await failingService.stop();
  await reader.forceFlush();
  const outputs = {
    spans: JSON.stringify(
      spans.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    ),
    measures: JSON.stringify(measures.getMetrics().map(({ scopeMetrics }) => scopeMetrics)),
    metrics: metricsText,
    logs: lines.join('\n'),
    errors: errors.join('\n'),
  };
  assert.match(outputs.logs, 'a request failed');
  assert.match(
    outputs.logs,
    'No such user <(address)> ((number)), see https://vendor.example/to/(address)?from=(address)',
  );
  assert.match(outputs.spans, 'TypeError');
  assert.match(outputs.measures, 'postrider.operation.duration');
  for (const [source, text] of Object.entries(outputs))
    for (const canaryValue of [...Object.values(canary), encodeURIComponent(canary.address), key, token])
      assert.not.ok(text.includes(canaryValue), `${canaryValue} in the ${source}`);
});

test('without a tracer, no trace is stored with the job', async () => {
  trace.disable();
  const authorization = `Bearer ${key}`;
  const answer = await ask(front, '/v1/transactional/send', { authorization, 'idempotency-key': 'three' }, sendBody);
  assert.is(answer.status, 202);
  assert.is(front.core.telemetry.active(), null);
  await front.stop();
});

test.run();
