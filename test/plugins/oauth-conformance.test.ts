// The scenarios of the official conformance suite for authorisation servers, against the server below a mount.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSuite } from '../core/conformance-run.ts';
import { freePort } from '../support/free-port.ts';
import { openOAuthBench } from '../support/oauth-bench.ts';

const test = suite('OAuth: conformance');

/** Every scenario of the suite for authorisation servers. The server passes all of them. */
const passing = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

/**
 * The other scenarios, `auth/…`, test a client and do not apply to a server. Some of them use kinds of grant that this server does not
 * offer, each for a reason.
 */
const refusedGrants: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt': 'a program without a person takes an API key',
  'auth/client-credentials-basic': 'a program without a person takes an API key',
  'auth/enterprise-managed-authorization': 'an issuer of the program can do it: see issuers',
  'auth/dpop': 'access tokens live 15 minutes and are looked up on every call',
  'auth/dpop-nonce': 'access tokens live 15 minutes and are looked up on every call',
  'auth/wif-jwt-bearer': 'a program without a person takes an API key',
};

test('the list has every scenario for authorisation servers, and the refused kinds of grant are in the suite', async () => {
  const suiteList = await runSuite(['list']);
  const [, servers = ''] = suiteList.split('Authorization server scenarios');
  assert.equal(
    [...servers.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name),
    passing,
  );
  for (const name of Object.keys(refusedGrants)) assert.ok(suiteList.includes(` ${name} `), name);
});

for (const revision of ['2025-11-25', '2026-07-28'])
  test(`${revision}: every scenario for authorisation servers passes`, async () => {
    const bench = await openOAuthBench();
    try {
      const port = await freePort();
      const { body } = await bench.fetch('/oauth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: 'Suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
      });
      let visit: Promise<unknown> | undefined;
      const output = await runSuite(
        [
          ...['authorization', '--url', bench.url, '--client-id', body.client_id, '--resource', `${bench.url}/v1/mcp`],
          ...['-p', String(port), '--spec-version', revision],
        ],
        (text) => {
          const [, url] = /(http:\S+\/oauth\/authorize\?\S+)/.exec(text) ?? [];
          if (url !== undefined) visit ??= bench.consent(url).then((back) => fetch(back));
        },
      );
      await visit;
      const results = [...output.matchAll(/^\S (\S+): (\d+) passed, (\d+) failed$/gm)];
      assert.equal(
        results.map(([, name, passed, failed]) => [name, Number(passed) > 0, Number(failed)]),
        passing.map((name) => [name, true, 0]),
      );
    } finally {
      await bench.close();
    }
  });

test.run();
