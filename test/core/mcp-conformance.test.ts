// time-limit: 240
// The protocol's conformance suite against the endpoint, for each revision that the installed suite knows. conformance-exceptions.ts
// names each failing scenario with its reason. This test also fails if a named scenario passes.
// full-run: slow
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeHost } from '../../hosts/node/index.ts';
import { exceptions, scenariosWithoutChecks } from './conformance-exceptions.ts';
import { conformancePlugin } from './conformance-plugin.ts';
import { explainFailure, runScenarios, scenariosOf } from './conformance-run.ts';
import { startNotes } from './notes-service.ts';

const test = suite('MCP endpoint: conformance');

const revisions = ['2025-11-25', '2026-07-28'] as const;
const scenarioLists = await Promise.all(
  revisions.map(async (revision) => ({ revision, scenarios: await scenariosOf(revision) })),
);

/** The suite sends no key, so a server in front of the host adds a sandbox key, which has no rate limit. */
async function startForSuite() {
  const { service, workspace, key, stop } = await startNotes({ plugins: [conformancePlugin()] });
  const secret = await key(await workspace('Conformance'), ['conformance:read'], { mode: 'test' });
  const host = nodeHost(service, { basePath: '/messaging' });
  const server = createServer((request, response) => {
    request.headers.authorization = `Bearer ${secret}`;
    host(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/messaging/v1/mcp?schemas=full`,
    async stop() {
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
      await stop();
    },
  };
}

for (const { revision, scenarios } of scenarioLists) {
  if (scenarios.length === 0) {
    console.log(`# left out: conformance with ${revision}: the installed suite has no scenarios of this revision`);
    continue;
  }
  test(`${revision}: every scenario passes, except those that are named with a reason`, async () => {
    const { url, stop } = await startForSuite();
    try {
      const results = await runScenarios(url, revision);
      assert.equal([...results.keys()].sort(), [...scenarios].sort(), 'not every scenario of the revision ran');
      const failedNames = [...results].filter(([, result]) => result.failed > 0).map(([name]) => name);
      const [unexpectedFailure] = failedNames.filter((name) => !(name in exceptions));
      if (unexpectedFailure !== undefined)
        assert.unreachable(`${unexpectedFailure}\n${await explainFailure(url, revision, unexpectedFailure)}`);
      const passingExceptions = scenarios.filter((name) => name in exceptions && !failedNames.includes(name));
      assert.equal(passingExceptions, [], 'these scenarios pass now, so remove them from the exceptions');
      const withoutChecks = [...results].filter(([, { passed, failed: faults }]) => passed + faults === 0);
      assert.equal(
        withoutChecks.map(([name]) => name).filter((name) => !scenariosWithoutChecks.includes(name)),
        [],
        'these scenarios checked nothing',
      );
    } finally {
      await stop();
    }
  });
}

test('the documentation names every scenario that does not pass', () => {
  const page = readFileSync('docs/mcp.md', 'utf8');
  const missingNames = Object.keys(exceptions).filter((name) => !page.includes(`\`${name}\``));
  assert.equal(missingNames, []);
});

test.run();
