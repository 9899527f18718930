// Follows CONTRIBUTING.md: on a copy of the sources, it adds the operation's file and its line, and calls the operation
// over REST, as a tool and in process.
// time-limit: 400
// full-run: slow
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { typeCompiler } from '../support/type-compiler.ts';
import { codeBlocks } from './documents.ts';

const runFile = promisify(execFile);
const root = resolve('.');
const operationFile = 'plugins/audit/operations/last-entry.ts';
const listFile = 'plugins/audit/operations/index.ts';

const probe = `
import { createTestService, operationSuite } from './hosts/testing/index.ts';
import { standardPlugins } from './plugins/index.ts';
import { lastEntry } from './${operationFile}';

const open = () => createTestService({ plugins: standardPlugins });
const bench = await open();
const action = 'suppression.create';
for (const email of ['ada@example.com', 'grace@example.com']) {
  await bench.service.as(bench.workspaceId).suppressions.create({ email, reason: 'complaint' });
  bench.advanceClock(1000);
}

const inProcess = await bench.service.as(bench.workspaceId).audit.last({ action });
const foreign = await bench.service.as(bench.foreignWorkspaceId).audit.last({ action });
const rest = await bench.request('/v1/audit/last?action=' + action);
const unknown = await bench.request('/v1/audit/last?action=template.publish');
const narrow = await bench.request('/v1/audit/last?action=' + action, { key: await bench.keyWith(['keys:read']) });
const newest = (await bench.request('/v1/audit?action=' + action)).body.data[0];
const headers = { accept: 'application/json, text/event-stream' };
const rpc = async (method: string, params: object) =>
  (await bench.request('/v1/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method, params } })).body.result;
const { tools } = await rpc('tools/list', {});
const called = await rpc('tools/call', { name: 'last_audit_entry', arguments: { action } });
const paths = bench.service.openapi()['paths'] as Record<string, Record<string, { operationId: string }>>;
await bench.close();

const generated: [string, () => Promise<void>][] = [];
operationSuite('audit', open, [lastEntry], (name, test) => generated.push([name, test]));
for (const [, test] of generated) await test();

console.log(
  JSON.stringify({
    inProcess,
    newest,
    foreign: foreign.entry,
    rest: [rest.status, rest.body],
    unknown: [unknown.status, unknown.body],
    narrow: narrow.status,
    tool: (tools as { name: string; inputSchema: { required: string[] } }[]).find(({ name }) => name === 'last_audit_entry')?.inputSchema.required,
    called: called.structuredContent,
    operationId: paths['/v1/audit/last']?.['get']?.operationId,
    generated: generated.length,
  }),
);
`;

interface ProbeResult {
  inProcess: unknown;
  newest: { action: string };
  foreign: unknown;
  rest: unknown;
  unknown: unknown;
  narrow: number;
  tool: unknown;
  called: unknown;
  operationId: unknown;
  generated: number;
}

/** Copies the sources that an operation needs, without the tests. */
async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'postrider-contributing-'));
  for (const name of ['core', 'plugins', 'adapters', 'hosts', 'package.json', 'tsconfig.json']) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Replaces the lines that a diff removes by the lines that it adds. The other lines of the diff must be present unchanged. */
function applyDiff(source: string, diff: string): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const before = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const after = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  assert.ok(source.includes(before.join('\n')), `CONTRIBUTING.md shows another ${listFile}:\n${before.join('\n')}`);
  return source.replace(before.join('\n'), () => after.join('\n'));
}

const test = suite('CONTRIBUTING');

test('one file and one line make a route, a tool, a typed call, an entry in OpenAPI and tests', async () => {
  const copy = await copySources();
  try {
    const text = await readFile('CONTRIBUTING.md', 'utf8');
    assert.ok(text.includes(`This is \`${operationFile}\``));
    const [operation = ''] = await codeBlocks('CONTRIBUTING.md', 'ts');
    const [diff = ''] = await codeBlocks('CONTRIBUTING.md', 'diff');
    await writeFile(join(copy, operationFile), operation);
    const list = join(copy, listFile);
    await writeFile(list, applyDiff(await readFile(list, 'utf8'), diff));
    await writeFile(join(copy, 'probe.ts'), probe);
    const config = { extends: './tsconfig.json', include: ['probe.ts', 'plugins/**/*.d.ts'] };
    await writeFile(join(copy, 'tsconfig.probe.json'), JSON.stringify(config));

    const typeCheck = await runFile(process.execPath, [typeCompiler, '--noEmit', '-p', 'tsconfig.probe.json'], {
      cwd: copy,
    }).catch((error: { stdout: string }) => error);
    assert.is(typeCheck.stdout, '');

    const { stdout } = await runFile(process.execPath, ['--import', 'tsx', 'probe.ts'], { cwd: copy });
    const { generated, newest, ...probed } = JSON.parse(stdout) as ProbeResult;
    assert.is(newest.action, 'suppression.create');
    const answer = { entry: newest };
    assert.equal(probed, {
      inProcess: answer,
      foreign: null,
      rest: [200, answer],
      unknown: [200, { entry: null }],
      narrow: 403,
      tool: ['action'],
      called: answer,
      operationId: 'audit.last',
    });
    assert.ok(generated >= 2, `${generated} generated tests`);
  } finally {
    await rm(copy, { recursive: true });
  }
});

test.run();
