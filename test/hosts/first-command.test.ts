// The first command of `postrider dev`: one line in the terminal, and several lines on the start page, one for each option.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { curlLine, curlLines } from '../../hosts/cli/development/announce.ts';
import { startPage } from '../../hosts/cli/development/start-page.ts';

const test = suite('the first command of dev');

type Seeded = Parameters<typeof curlLine>[1];

const serving = { origin: 'http://127.0.0.1:3000', base: '' };
const seededData = {
  key: 'postrider_test_key',
  sample: { template: 'receipt', short: { name: "Ada's" } },
  workspace: { plan: { tier: 1, keyOptional: true } },
} as unknown as Seeded;

test('the command is the same in one line and in several, and no line break divides an option', () => {
  const lines = curlLines(serving, seededData).split(' \\\n  ');
  assert.is(lines.join(' '), curlLine(serving, seededData));
  assert.match(lines[0] ?? '', /^curl -i http:\/\/127\.0\.0\.1:3000\/v1\/templates\/receipt\/send$/);
  for (const line of lines.slice(1)) assert.match(line, /^-[Hd] /);
});

test('the start page has buttons that copy the key and the command, hidden until the script runs', () => {
  const page = startPage({
    title: 'Acme',
    version: '1.0.0',
    local: true,
    links: [],
    absent: [],
    addresses: [],
    trial: { key: seededData.key, curl: curlLines(serving, seededData) },
  });
  for (const id of ['key', 'command']) assert.match(page, new RegExp(`id="${id}"[\\s\\S]*data-of="${id}" hidden>`));
  assert.match(page, 'Ada&#39;');
});

test.run();
