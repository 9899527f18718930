// The generated files of the reference equal the output of `npm run docs`, and code, documents and OpenAPI agree on operations and errors.
// time-limit: 240
// full-run: slow
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../core/kernel/registry.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { solutionOf } from '../../plugins/reference/error-solution.ts';
import { codesOf } from '../../plugins/reference/operation-section.ts';
import { listOperations } from '../../plugins/reference/operations.ts';
import { referenceFiles, standardDocument } from '../support/reference-files.ts';

const test = suite('generated documents');
const registry = createRegistry(standardPlugins, []);
const document = standardDocument();

/** The rows of a document's tables, as lists of cells. */
async function rowsOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Operation|Code) /.test(line))
    .map((line) => line.slice(2, -2).split(/(?<!\\)\| ?/));
}

const codesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);

test('the generated files are up to date: npm run docs would change nothing', async () => {
  for (const { path, content } of await referenceFiles())
    assert.is(await readFile(path, 'utf8'), content, `${path} is stale: run npm run docs`);
});

test('docs/operations.md names exactly the existing operations', async () => {
  const rows = await rowsOf('docs/operations.md');
  const ids = rows.map(([cell = '']) => /`([\w.]+)`/.exec(cell)?.[1] ?? '');
  const system = ['mcp.message', 'openapi.read', 'asyncapi.read', 'health.live', 'health.ready'];
  assert.equal([...ids].sort(), [...registry.operations.keys(), ...system].sort());
  for (const [index, id] of ids.entries()) {
    const operation = registry.operations.get(id);
    if (operation === undefined) continue;
    const [, route = '', tool = '', scopes = '', idempotency = '', errors = ''] = rows[index] ?? [];
    assert.is(route.trim(), `\`${operation.method} ${operation.path}\``);
    assert.ok(operation.tool === undefined || tool.includes(`\`${operation.tool.name}\``), id);
    for (const scope of operation.scopes) assert.ok(scopes.includes(`\`${scope}\``), `${id}: ${scope}`);
    assert.is(idempotency.trim(), operation.idempotency, id);
    assert.equal(codesIn(errors).sort(), [...operation.errors].sort(), id);
  }
});

test('docs/events.md names every event once, in a table and with an example', async () => {
  const text = await readFile('docs/events.md', 'utf8');
  for (const type of [...registry.events.keys(), 'custom']) assert.is(text.split(`\n| \`${type}\` |`).length, 2, type);
});

test('docs/errors.md, the OpenAPI document and the code declare the same codes', async () => {
  const declaredCodes = [...registry.errors.keys()].sort();
  const rows = await rowsOf('docs/errors.md');
  assert.equal(rows.map(([cell = '']) => codesIn(cell)[0]).sort(), declaredCodes);
  assert.equal(Object.keys(document['x-errors']).sort(), declaredCodes);
  for (const [, meaning = '', remedy = ''] of rows) assert.ok(meaning.trim() !== '' && remedy.trim() !== '');
});

test("an operation's declared errors are among its answers, and all its answers are declared", () => {
  for (const operation of listOperations(document)) {
    const codes = codesOf(operation, document);
    for (const code of codes) assert.ok(registry.errors.has(code), `${operation.id} answers ${code}`);
    for (const code of registry.operations.get(operation.id)?.errors ?? [])
      assert.ok(codes.includes(code), `${operation.id} does not answer ${code}`);
  }
});

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  return Promise.all(paths.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}

test('every declared code is thrown somewhere', async () => {
  const texts = (await Promise.all(['core', 'plugins', 'hosts', 'adapters'].map(sources))).flat().join('\n');
  for (const code of registry.errors.keys()) {
    const [, page] = /^(\w+)_(?:access_denied|not_local|cross_site|scope_missing)$/.exec(code) ?? [];
    // The access check of a page throws all codes of the family.
    const isOfPage = page !== undefined && texts.includes(`pageRefusals(errors, '${page}')`);
    if (!isOfPage) assert.match(texts, new RegExp(`[eE]rrors\\.${code}\\b`), code);
  }
});

test('the meaning is the first sentence; the remedy is the rest, or the text of its family', () => {
  const solutionFor = (description: string) => solutionOf({ status: 404, type: 'not_found_error', description });
  assert.equal(solutionFor('It is gone. Make a new one. Or two.'), {
    meaning: 'It is gone.',
    solution: 'Make a new one. Or two.',
  });
  assert.is(solutionFor('No key v1.2 of limits.maxBodyBytes.').meaning, 'No key v1.2 of limits.maxBodyBytes.');
  assert.match(solutionFor('It is gone.').solution, /^Check the id/);
});

test.run();
