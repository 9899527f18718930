// A stopped service stays stopped and accepts no work, because its process would never run it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite('a stopped service');

const message = { template: 'login-code', to: 'ada@example.com', variables: { code: '1', expires_in: '1 minute' } };

async function openStopped() {
  const warnings: string[] = [];
  const kit = await createTestService({
    plugins: bareStandardPlugins,
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (_, text) => void warnings.push(text),
      error: (_, text) => void warnings.push(text),
    },
  });
  await kit.service.start();
  await kit.service.stop();
  return { ...kit, warnings };
}

test('every entry point refuses calls, and one log line has the reason', async () => {
  const { service, workspaceId, request, warnings } = await openStopped();
  const entryPoints: Readonly<Record<string, () => Promise<unknown>>> = {
    call: () => service.as(workspaceId).email.send(message),
    provisioning: () => service.workspaces.list(),
    drain: () => service.drain(),
    start: () => service.start(),
    migrate: () => service.migrate(),
  };
  for (const [name, work] of Object.entries(entryPoints)) {
    const refusal = await work().catch((error: unknown) => error);
    assert.ok(isPostriderError(refusal, 'service_unavailable'), name);
    assert.match(
      refusal.message,
      /^This process has stopped its service, which accepts no more calls\. To continue, the program must make a new/,
      name,
    );
  }
  const answer = await request('/v1/templates/login-code/send', { body: message });
  assert.equal(
    [answer.status, answer.body.error.code, answer.headers['Retry-After']],
    [503, 'service_unavailable', '1'],
  );
  assert.equal((await request('/v1/health/ready', { key: '' })).status, 503);
  assert.equal(warnings, [
    'calls arrive after service.stop(), and are refused with service_unavailable: close the server first, then stop the service (docs/embedding.md)',
  ]);
});

test('stopping the service a second time is harmless', async () => {
  const { service, warnings } = await openStopped();
  await service.stop();
  assert.equal(warnings, []);
});

test.run();
