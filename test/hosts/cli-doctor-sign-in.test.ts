// The doctor's check for agents that sign in: the metadata of the MCP endpoint at the mount and at the root of the origin.
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSignIn } from '../../hosts/cli/doctor/sign-in-checks.ts';
import { expressHost, expressWellKnown } from '../../hosts/express/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { keysPlugin } from '../../plugins/keys/index.ts';
import { oauthPlugin } from '../../plugins/oauth/index.ts';
import { startServer } from '../support/oauth-bench.ts';

const test = suite('the doctor and sign-in');

const runCheck = async (
  publicUrl: string | undefined,
  environment: 'development' | 'production',
  mounted?: (app: ReturnType<typeof express>, bench: Awaited<ReturnType<typeof open>>) => void,
) => {
  const app = express();
  const host = await startServer((request, response) => app(request, response));
  const bench = await open(publicUrl?.replace('ORIGIN', host.origin), environment);
  mounted?.(app, bench);
  const findings = await checkSignIn(bench.service as Parameters<typeof checkSignIn>[0], AbortSignal.timeout(5_000));
  await bench.close();
  await host.close();
  return { states: findings.map(({ state }) => state), text: findings.map(({ text }) => text).join('\n') };
};

const open = (publicUrl: string | undefined, environment: 'development' | 'production') =>
  createTestService({
    plugins: [keysPlugin(), oauthPlugin()],
    environment,
    access: () => null,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });

test('without a public URL, sign-in is off', async () => {
  const { states, text } = await runCheck(undefined, 'production');
  assert.equal(states, ['note']);
  assert.match(text, /no publicUrl/);
});

test('a mount that does not answer is a fault in production, and a note in development', async () => {
  assert.equal((await runCheck('ORIGIN/messaging', 'production')).states, ['bad']);
  const { states, text } = await runCheck('ORIGIN/messaging', 'development');
  assert.equal(states, ['note']);
  assert.match(text, /answers 404/);
});

test('doctor also requests the root of the origin, and names the missing line', async () => {
  const { states, text } = await runCheck('ORIGIN/messaging', 'production', (app, { service }) => {
    app.use('/messaging', expressHost(service));
  });
  assert.equal(states, ['good', 'bad', 'bad']);
  assert.match(text, /oauth-protected-resource\/messaging\/v1\/mcp answers 404.*expressWellKnown\(service\)/);
  assert.match(text, /oauth-authorization-server\/messaging answers 404/);
});

test('doctor finds no fault if both answer', async () => {
  const { states } = await runCheck('ORIGIN/messaging', 'production', (app, { service }) => {
    app.use(expressWellKnown(service));
    app.use('/messaging', expressHost(service));
  });
  assert.equal(states, ['good', 'good']);
  const atRoot = await runCheck('ORIGIN', 'production', (app, { service }) => app.use(expressHost(service)));
  assert.equal(atRoot.states, ['good']);
});

test.run();
