// The stylesheet of pages without a script is built from the same rules as the stylesheet of pages with a script.
import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleStyleFile } from '../../core/pages/browser/build.ts';
import { pageColours } from '../../core/pages/colours.ts';
import { consoleStyle } from '../../core/pages/console-style.gen.ts';

const test = suite('the style of consoles');

test('console-style.gen.ts is up to date: npx tsx core/pages/browser/build.ts', async () => {
  assert.is(await readFile('core/pages/console-style.gen.ts', 'utf8'), await consoleStyleFile());
});

test('pages that use other variable names for colours have the same colour values', () => {
  const coloursIn = (text: string) => new Set(text.match(/#[0-9a-f]{3,6}\b/g));
  const consoleColours = coloursIn(consoleStyle);
  const names = ['paper', 'card', 'ink', 'soft', 'line', 'faint', 'link', 'out', 'in'];
  for (const name of names) {
    const values = [...pageColours.matchAll(new RegExp(`--${name}:(#[0-9a-f]{3,6})`, 'g'))].map(
      ([, value = '']) => value,
    );
    assert.is(values.length, 2, name);
    for (const value of values) assert.ok(consoleColours.has(value), `${name}: ${value}`);
  }
});

test.run();
