// time-limit: 600
// The example for AWS Lambda: a bundle without unused packages, and a deployed function's life on AWS's runtime
// client and PostgreSQL behind pgbouncer in transaction mode.
// full-run: slow
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, deployExample, sendTo } from '../support/lambda-deployment.ts';
import { httpResponseOf, resultOf } from '../support/lambda-responses.ts';
import { hasLambdaRuntime } from '../support/lambda-runtime.ts';
import { hasPostgres } from '../support/postgres-server.ts';

const test = suite<{ deployment: Deployment }>('the example for AWS Lambda');

test.before.each(async (context) => {
  context.deployment = await deployExample();
});
test.after.each(({ deployment }) => deployment.remove());

if ((await hasPostgres()) && hasLambdaRuntime()) {
  test('the bundle has a program with its code cache, and no packages that the function does not use', ({
    deployment: { metafile, folder },
  }) => {
    assert.equal(
      new Set(readdirSync(folder)),
      new Set([
        'function.cjs',
        'program.cjs',
        `program.${process.arch}.cache`,
        'write-cache.cjs',
        'compile-worker.cjs',
        'decode-worker.cjs',
        'picture-process.cjs',
        'markdown-worker.cjs',
      ]),
    );
    const inside = Object.keys(metafile.inputs);
    const unusedPackages =
      /node_modules\/(?:mjml|sharp|twilio|@modelcontextprotocol|better-sqlite3|mysql2|ioredis|@aws-sdk)/;
    assert.equal(
      inside.filter((path) => unusedPackages.test(path)),
      [],
    );
    assert.ok(inside.some((path) => path.includes('node_modules/pg/')));
    const [output] = Object.entries(metafile.outputs).filter(([path]) => path.endsWith('program.cjs'));
    assert.ok((output?.[1].bytes ?? 0) < 6_000_000, `the program has ${output?.[1].bytes} bytes`);
  });

  test('the function starts with its code cache, and logs the reason if Node.js refuses it', async ({ deployment }) => {
    const first = await deployment.start();
    await first.initialised();
    assert.not.ok(first.output().includes('write-cache.cjs'), first.output());
    const refusing = await deployment.start({}, ['--expose-gc']);
    await refusing.initialised();
    assert.ok(
      refusing.output().includes(`under ${process.version} on ${process.arch} with: node --expose-gc write-cache.cjs`),
      refusing.output(),
    );
    await refusing.stop();
    execFileSync(process.execPath, ['--expose-gc', 'write-cache.cjs'], { cwd: deployment.folder });
    const last = await deployment.start({}, ['--expose-gc']);
    await last.initialised();
    assert.not.ok(last.output().includes('write-cache.cjs'), last.output());
  });

  test('the function migrates, accepts, delivers in the same call, and drains on a schedule', async ({
    deployment,
  }) => {
    const { sink } = deployment;
    // The wait is long enough, even on a slow machine.
    const instance = await deployment.start({ SETTLE_MS: '25000' });
    await instance.initialised();
    const { migrated } = resultOf<{ migrated: string[] }>(await instance.invoke({ action: 'migrate' }));
    assert.ok(migrated.length > 10);
    assert.equal(resultOf(await instance.invoke({ action: 'migrate' })), { migrated: [] });
    const { key } = await deployment.seed();

    const sendAnswer = httpResponseOf(await instance.invoke(sendTo(key, 'ada@example.com')));
    assert.is(sendAnswer.status, 202, sendAnswer.body);
    await instance.idle();
    assert.equal(
      sink.messages.map(({ recipients }) => recipients[0]),
      ['ada@example.com'],
      instance.output(),
    );

    const lateInstance = await deployment.start({ SETTLE_MS: '0' });
    assert.is(httpResponseOf(await lateInstance.invoke(sendTo(key, 'bob@example.com'))).status, 202);
    await lateInstance.idle();
    assert.is(sink.messages.length, 1);
    const schedule = { version: '0', id: '1', source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} };
    const report = resultOf<{ ran: number; failed: number; hasMore: boolean }>(await instance.invoke(schedule));
    assert.equal([report.ran, report.failed, report.hasMore], [1, 0, false]);
    assert.is(sink.messages[1]?.recipients[0], 'bob@example.com');
  });
}

test.run();
