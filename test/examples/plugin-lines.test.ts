// A resource with create, read, list, update, delete, scopes, audit, errors, migration and fixtures takes few lines: the resource in
// docs/writing-a-plugin.md, whose manifest contains more, and the resource in examples/plugin-surveys.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filesInDocument } from '../package/documents.ts';

const maxLines = { page: 220, example: 155 };
const example = 'examples/plugin-surveys/src';
/** Files for the features that the example has in addition to its resource. */
const additionalFiles = [
  'console.ts',
  'events.ts',
  'jobs/expire-survey.ts',
  'operations/answer-survey.ts',
  'page.ts',
  'schedules.ts',
  'service.ts',
];

const linesOf = (text: string): number => text.trimEnd().split('\n').length;
const total = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + linesOf(text), 0);

const test = suite('the lines of a plugin');

test('docs/writing-a-plugin.md shows a resource in at most 220 lines', async () => {
  const text = await readFile('docs/writing-a-plugin.md', 'utf8');
  const secondPart = text.indexOf('\n# Part two');
  assert.ok(secondPart > 0);
  const files = filesInDocument(text).filter(({ path }) => path.startsWith('src/'));
  // The manifest is at the end of the document, and includes the additions of the second part.
  const resource = files.filter(({ path, at }) => at < secondPart || path === 'src/index.ts');
  assert.ok(resource.length >= 5, resource.map(({ path }) => path).join());
  const lines = total(resource.map(({ code }) => code));
  assert.ok(lines <= maxLines.page, `${lines} lines`);
  assert.ok(lines > 150, `${lines} lines: some of it was not counted`);
});

test('examples/plugin-surveys has a resource in at most 155 lines, with the manifest of all its features', async () => {
  const files = (await readdir(example, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  for (const name of additionalFiles) assert.ok(files.includes(name), `${name} does not exist`);
  const resource = files.filter((name) => !additionalFiles.includes(name));
  const lines = total(await Promise.all(resource.map((name) => readFile(join(example, name), 'utf8'))));
  assert.ok(lines <= maxLines.example, `${lines} lines in ${resource.join()}`);
});

test.run();
