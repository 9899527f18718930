// Importing `postrider` loads no heavy package: packages that render, send or store are loaded at their first use.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadedPackages } from './loaded-packages.ts';
import { assertNoFaults, root } from './sources.ts';

const heavy = [
  'mjml',
  'sharp',
  'qrcode',
  'zxing-wasm',
  'twilio',
  'juice',
  'html-to-text',
  'pg',
  'mysql2',
  'amqplib',
  'ioredis',
  'express',
  'fastify',
  'better-sqlite3',
  'ai',
];
const heavyScopes = ['@modelcontextprotocol/', '@aws-sdk/', '@anthropic-ai/', '@ai-sdk/'];

const isHeavy = (name: string) => heavy.includes(name) || heavyScopes.some((scope) => name.startsWith(scope));

const test = suite<{ folder: string }>('light import', { folder: '' });

test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'postrider-import-'));
});

test.after((context) => {
  rmSync(context.folder, { recursive: true, force: true });
});

test('importing postrider loads none of the heavy packages', () => {
  const entry = join(root, 'core/index.ts');
  assert.ok(existsSync(entry), 'core/index.ts does not exist yet: there is no import of postrider to measure.');
  const packages = loadedPackages(pathToFileURL(entry).href);
  assert.ok(packages.includes('zod'), 'the measurement detects the packages that postrider really loads');
  const rule = (name: string) => `Importing postrider must not load ${name}: load it with await import() on first use.`;
  assertNoFaults(packages.filter(isHeavy).map((name) => ({ path: 'core/index.ts', rule: rule(name) })));
});

test('importing all standard plugins loads none of the heavy packages either', () => {
  const packages = loadedPackages(pathToFileURL(join(root, 'plugins/index.ts')).href);
  const rule = (name: string) =>
    `Importing the plugins must not load ${name}: load it with await import() on first use.`;
  assertNoFaults(packages.filter(isHeavy).map((name) => ({ path: 'plugins/index.ts', rule: rule(name) })));
});

test('importing the test kit loads none of the heavy packages either', () => {
  const packages = loadedPackages(pathToFileURL(join(root, 'hosts/testing/index.ts')).href);
  const rule = (name: string) =>
    `Importing postrider/testing must not load ${name}: load it with await import() on first use.`;
  assertNoFaults(packages.filter(isHeavy).map((name) => ({ path: 'hosts/testing/index.ts', rule: rule(name) })));
});

test('a package is detected if it is imported or required, directly or indirectly', ({ folder }) => {
  const loadedBy = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return loadedPackages(pathToFileURL(path).href).filter(isHeavy);
  };
  const address = (name: string) => JSON.stringify(import.meta.resolve(name));
  const deep = loadedBy('inner.ts', `import ${address('juice')};\nexport const inner: number = 1;\n`);
  assert.equal(deep, ['juice']);
  assert.equal(loadedBy('outer.ts', "export { inner } from './inner.ts';\n"), ['juice']);
  const requireText = `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)(${JSON.stringify(join(root, 'node_modules/express'))});\n`;
  assert.equal(loadedBy('required.mts', requireText), ['express']);
  const scopedPackages = loadedBy('scoped.mts', `import ${address('@modelcontextprotocol/server')};\n`);
  assert.ok(scopedPackages.includes('@modelcontextprotocol/server'));
});

test('a package that is loaded at its first use is not counted', ({ folder }) => {
  const path = join(folder, 'lazy.mts');
  writeFileSync(path, `export const render = () => import(${JSON.stringify(import.meta.resolve('mjml'))});\n`);
  assert.equal(loadedPackages(pathToFileURL(path).href).filter(isHeavy), []);
});

test('a failing import is an error, not a light import', ({ folder }) => {
  const path = join(folder, 'broken.mts');
  writeFileSync(path, "throw new Error('broken on purpose');\n");
  assert.throws(() => loadedPackages(pathToFileURL(path).href), /broken on purpose/);
});

test.run();
