/*
 * A service that accepts and delivers sends in rounds that telemetry.ts requests, and reports the processor time per send.
 * Its argument sets the state of OpenTelemetry: `sdk`, an SDK that collects all spans and metrics; `api`, without a
 * registered SDK; `absent`, the package is not installed.
 */

import { rmSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { dataFolder } from './contestant-process.ts';
import { createContestantService } from './contestant-service.ts';
import { receiptVariables, templateKey } from './mail-fixture.ts';

const [kind = 'absent'] = process.argv.slice(2);
const spans = new InMemorySpanExporter();
const processor = new BatchSpanProcessor(spans, { maxQueueSize: 100_000 });
if (kind === 'sdk') {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
  metrics.setGlobalMeterProvider(
    new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })] }),
  );
}
const missing = `export async function resolve(name, context, next) {
  if (name === '@opentelemetry/api') throw Object.assign(new Error("Cannot find package '@opentelemetry/api'"), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
if (kind === 'absent') register(`data:text/javascript,${encodeURIComponent(missing)}`);

const filename = join(dataFolder, `telemetry-${process.pid}.db`);
const { service, keys } = await createContestantService({
  port: 0,
  storage: 'sqlite',
  databasePath: filename,
  databaseUrl: '',
  workspaces: 4,
  keys: 8,
});
let sentCount = 0;

async function send(): Promise<void> {
  sentCount += 1;
  const number = String(sentCount).padStart(6, '0');
  const { status, body } = await service.dispatch({
    method: 'POST',
    url: `/v1/templates/${templateKey}/send`,
    headers: {
      authorization: `Bearer ${keys[sentCount % keys.length]}`,
      'content-type': 'application/json',
      'idempotency-key': `telemetry-${number}`,
    },
    body: JSON.stringify({ to: `n${number}@example.com`, variables: receiptVariables(number) }),
    address: '127.0.0.1',
  });
  if (status !== 202) throw new Error(`A send was answered ${status}: ${String(body)}`);
}

/** Accepts `count` sends and delivers them. The measured time includes the export of spans. */
async function runRound(count: number): Promise<{ readonly used: number; readonly spans: number }> {
  const usedBefore = process.cpuUsage();
  for (let index = 0; index < count; index += 32) await Promise.all(Array.from({ length: 32 }, send));
  for (let hasMore = true; hasMore; ) ({ hasMore } = await service.drain({ budgetMs: 10_000 }));
  await processor.forceFlush();
  const { user, system } = process.cpuUsage(usedBefore);
  const spanCount = spans.getFinishedSpans().length;
  spans.reset();
  return { used: (user + system) / count, spans: spanCount / count };
}

process.on('message', async (message: number | 'end') => {
  if (message !== 'end') {
    process.send?.(await runRound(message));
    return;
  }
  await service.stop();
  for (const end of ['', '-wal', '-shm']) rmSync(`${filename}${end}`, { force: true });
  process.disconnect();
});
process.send?.('ready');
