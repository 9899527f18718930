// docs/troubleshooting.md explains exactly the error codes of the standard plugins.
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('troubleshooting');

test('docs/troubleshooting.md explains every code of docs/errors.md', async () => {
  const errors = await readFile('docs/errors.md', 'utf8');
  const page = await readFile('docs/troubleshooting.md', 'utf8');
  const codes = [...errors.matchAll(/<a id="(\w+)"><\/a>/g)].map(([, code]) => code);
  assert.ok(codes.length > 40);
  const cells = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  const statuses = new Set(['sent', 'scheduled', 'delivery_delayed', 'suppressed', 'bounced', 'failed', 'delivered']);
  const explained = cells.filter((name) => !statuses.has(name));
  assert.equal(explained.sort(), codes.sort());
});

test.run();
