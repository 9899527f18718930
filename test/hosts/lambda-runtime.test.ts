// time-limit: 600
// The table of requests on AWS's own runtime client, answered as a whole and as a stream; failing streams; and
// events that are not requests.
// full-run: slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpResponseOf, resultOf } from '../support/lambda-responses.ts';
import { type FunctionInstance, hasLambdaRuntime, startFunction } from '../support/lambda-runtime.ts';
import type { HostClient } from './host-clients.ts';
import { httpEvent, partsOf, restEvent } from './lambda-events.ts';
import { testHostTable } from './table.ts';

const test = suite('requests on the runtime client of AWS Lambda');
const source = pathToFileURL(join(import.meta.dirname, 'lambda-function.ts')).href;

/** Starts an instance whose handler is an export of lambda-function.ts, in a function's folder. */
async function start(name: 'handler' | 'streaming'): Promise<FunctionInstance & { remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-function-'));
  writeFileSync(join(folder, 'main.mjs'), `export { ${name} } from ${JSON.stringify(source)};\n`);
  const nodeArguments = ['--import', import.meta.resolve('tsx')];
  const instance = await startFunction({ folder, handler: `main.${name}`, nodeArguments, env: { NODE_ENV: 'test' } });
  const remove = async () => {
    await instance.stop();
    rmSync(folder, { recursive: true });
  };
  return { ...instance, remove };
}

if (hasLambdaRuntime()) {
  const openerOf = (name: 'handler' | 'streaming', eventOf: typeof httpEvent | typeof restEvent) => async () => {
    const instance = await start(name);
    const client: HostClient = async (request) =>
      httpResponseOf(await instance.invoke(eventOf(partsOf(request, '/messaging'))));
    return { client, close: () => instance.remove() };
  };
  testHostTable(test, 'a REST API on the runtime client', openerOf('handler', restEvent));
  testHostTable(test, 'a function URL that streams', openerOf('streaming', httpEvent));

  const streaming = (work: (instance: FunctionInstance) => Promise<void>) => async () => {
    const instance = await start('streaming');
    try {
      await work(instance);
    } finally {
      await instance.remove();
    }
  };

  test(
    'a failing stream is aborted, and the instance continues',
    streaming(async (instance) => {
      const get = (path: string) =>
        instance.invoke(httpEvent({ method: 'GET', path: `/messaging${path}`, headers: {} }));
      const failure = await get('/fails/later');
      assert.equal([failure.streamed, failure.whole], [true, false]);
      assert.is(httpResponseOf(await get('/stream')).body, 'part 0\npart 1\npart 2\n');
    }),
  );

  test(
    'other events are answered as JSON, even by a streaming function',
    streaming(async (instance) => {
      const schedule = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} };
      const report = resultOf<{ hasMore: boolean }>(await instance.invoke(schedule));
      assert.is(report.hasMore, false);
      const unknown = await instance.invoke({ Records: [{ eventSource: 'aws:s3' }] });
      assert.equal([unknown.errorType ?? 'none', unknown.whole], ['none', false]);
    }),
  );
}

test.run();
