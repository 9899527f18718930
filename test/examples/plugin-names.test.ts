// The table in docs/embedding.md: the names that each plugin adds to service.as(…).
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callName } from '../../core/projections/call-name.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('the names of service.as');

const namesIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);

test('docs/embedding.md lists the names that each standard plugin adds to service.as', async () => {
  const text = await readFile('docs/embedding.md', 'utf8');
  const [, rows = ''] = text.split('| Plugins | What they add to `service.as(…)` |\n|---|---|\n');
  const documentedNames = new Map<string, readonly string[]>();
  for (const [, plugins = '', cell = ''] of (rows.split('\n\n')[0] ?? '').matchAll(/^\| (.+) \| (.+) \|$/gm))
    for (const id of namesIn(plugins))
      documentedNames.set(id, cell === 'calls of the same name' ? [id] : namesIn(cell));
  const areasOf = (ids: Iterable<string>) => [...new Set([...ids].map((id) => callName(id).area))];
  const actual = standardPlugins.map(({ id, operations }) => [
    id,
    areasOf(operations.map((operation) => operation.id)),
  ]);
  assert.equal([...documentedNames].sort(), actual.sort());
});

test.run();
