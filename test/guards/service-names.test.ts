// No service may be found by a part of its name: if a plugin extends another plugin, its manifest says so.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serviceNameFaults } from './service-names.ts';
import { assertFaultsAt, assertNoFaults, readSources } from './sources.ts';

const test = suite('names of services');

const faultsIn = (path: string, ...lines: string[]) => serviceNameFaults({ path, source: lines.join('\n') });

test('no file looks a service up by a computed name', () => {
  const files = readSources();
  assert.ok(files.some(({ source }) => source.includes('ctx.services.')));
  assertNoFaults(files.flatMap(serviceNameFaults));
});

test('every way to look services up by a computed name is detected', () => {
  const lines = [
    'const named = ctx.services[name];',
    "const literal = (services as Named)['lists'];",
    "const names = Object.keys(ctx.services).filter((name) => name.startsWith('usersOf'));",
    'const all = Object.entries(services);',
    'const has = Reflect.has(surface.services, name);',
    'for (const name in core.services) use(name);',
    `const there = \`usersOf\${id}\` in services;`,
  ];
  for (const path of ['plugins/lists/a.ts', 'core/kernel/a.ts', 'hosts/express/a.ts', 'examples/shop/a.ts'])
    assertFaultsAt(
      faultsIn(path, ...lines),
      lines.map((_, index) => `${path}:${index + 1}`),
    );
});

test('a declaration with a member for every name of a pattern is detected', () => {
  const path = 'plugins/lists/service.ts';
  for (const open of ['Services', 'ExtensionPoints', 'Ports'])
    assertFaultsAt(faultsIn(path, `interface ${open} {`, `  [users: \`usersOf\${string}\`]: Users;`, '}'), [
      `${path}:2`,
    ]);
});

test('services read by their own names pass, and so do other values', () => {
  assertNoFaults(
    faultsIn(
      'plugins/lists/a.ts',
      'const { contacts } = ctx.services;',
      'const designs: Designs | undefined = ctx.services.designs;',
      "const sources = ctx.ports.contributions('lists.references');",
      'const row = rows[name];',
      'const names = Object.keys(fields);',
      'interface Services { lists: ListsService }',
      'interface Named { [name: string]: string }',
    ),
  );
  assertNoFaults(faultsIn('test/core/a.ts', 'const first = services[0];'));
  assertNoFaults(faultsIn('core/kernel/container.ts', 'Object.entries(plugin.services);'));
});

test.run();
