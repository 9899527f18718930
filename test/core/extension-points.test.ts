// Extension points: one plugin declares a point and other plugins contribute to it. An invalid contribution is refused when the service
// is composed, and the error names both plugins.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { definePlugin, type Plugin } from '../../core/contract/declaration/plugin.ts';
import { createService } from '../../core/kernel/compose.ts';
import type { CompositionError } from '../../core/kernel/registry.ts';

/** An entry of `toys.makers`. */
interface ToyMaker {
  make(): string;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    'toys.makers': ToyMaker;
  }
  interface Services {
    toyColour?: () => string;
  }
}

const test = suite('extension points');

const compose = (plugins: readonly Plugin[]) =>
  createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins });

const faultsOf = (plugins: readonly Plugin[]): readonly string[] => {
  try {
    compose(plugins);
  } catch (error) {
    return (error as CompositionError).faults;
  }
  return [];
};

type Manifest = Parameters<typeof definePlugin>[0];
const plugin = (id: string, manifest: Omit<Manifest, 'id'> = {}) => definePlugin({ id, ...manifest });
const toys = plugin('toys', { extensionPoints: ['toys.makers'] });
const maker = (id: string, name: string) =>
  plugin(id, { contributes: { 'toys.makers': () => ({ make: () => name }) } });

test('the owner gets the entry of each plugin, in the order of composition', async () => {
  const service = compose([maker('dolls', 'doll'), toys, maker('balls', 'ball'), plugin('games')]);
  const entries = service.core.ports.contributions('toys.makers');
  assert.equal(
    [...entries].map(([id, entry]) => [id, entry.make()]),
    [
      ['dolls', 'doll'],
      ['balls', 'ball'],
    ],
  );
  assert.is(entries.get('games'), undefined);
  await service.stop();
});

test('a point without entries is empty, and so is a point of a plugin that is not composed', async () => {
  const service = compose([toys]);
  assert.is(service.core.ports.contributions('toys.makers').size, 0);
  assert.is(service.core.ports.contributions('core.hosts').size, 0);
  await service.stop();
});

test('an entry is created once, when its point is first used, with services, ports and the log', async () => {
  const createdNames: string[] = [];
  const service = compose([
    toys,
    plugin('paint', { services: { toyColour: () => () => 'red' } }),
    plugin('dolls', {
      contributes: {
        'toys.makers': ({ services, ports, log }) => {
          createdNames.push(`${services.toyColour?.()} ${ports.service.features.length} ${typeof log.warn}`);
          return { make: () => 'doll' };
        },
      },
    }),
  ]);
  assert.equal(createdNames, []);
  const { contributions } = service.core.ports;
  assert.is(contributions('toys.makers').get('dolls')?.make(), 'doll');
  assert.is(contributions('toys.makers'), contributions('toys.makers'));
  assert.equal(createdNames, ['red 3 function']);
  await service.stop();
});

test('if the factory of an entry throws, the next use tries again', async () => {
  let attempts = 0;
  const dolls = plugin('dolls', {
    contributes: {
      'toys.makers': () => {
        attempts += 1;
        if (attempts === 1) throw new Error('No cloth.');
        return { make: () => 'doll' };
      },
    },
  });
  const service = compose([toys, dolls]);
  assert.throws(() => service.core.ports.contributions('toys.makers'), 'No cloth.');
  assert.is(service.core.ports.contributions('toys.makers').size, 1);
  await service.stop();
});

test('an entry for a plugin that is not composed is allowed', () => {
  assert.equal(faultsOf([maker('dolls', 'doll')]), []);
});

test('an extension point with two owners is refused, and the error names both', () => {
  assert.equal(faultsOf([toys, plugin('dolls', { extensionPoints: ['toys.makers'] })]), [
    'The extension point toys.makers is declared by toys and by dolls.',
  ]);
});

test('an extension point with the prefix of another plugin is refused', () => {
  assert.equal(faultsOf([plugin('dolls', { extensionPoints: ['toys.makers'] })]), [
    'The extension point toys.makers of dolls does not begin with "dolls.".',
  ]);
});

test('an entry for an undeclared point is refused, and the error names both plugins and a similar point', () => {
  const contributes = { 'toys.maker': () => ({}), 'core.host': () => ({}) } as never;
  assert.equal(faultsOf([toys, plugin('dolls', { contributes })]), [
    'dolls contributes to toys.maker, and toys declares no such extension point. Did you mean toys.makers?',
    'dolls contributes to core.host, and core declares no such extension point. Did you mean core.hosts?',
  ]);
});

test.run();
