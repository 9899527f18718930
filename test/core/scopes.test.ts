// The scopes that other scopes imply, and the scopes that the presets contain
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Preset, ScopeDeclaration } from '../../core/contract/declaration/scopes.ts';
import { createScopeRegistry } from '../../core/pipeline/scopes.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('scopes');

const all = `workspace:read brand:read brand:write templates:read templates:write templates:send sends:read
  suppressions:read suppressions:write suppressions:bypass messaging.transactional.read messaging.transactional.send
  social:posts:read social:posts:write social:posts:publish pages:read pages:write pages:publish pages:export
  compositions:read compositions:write sequences:read sequences:write sequences:trigger flows:enroll contacts:read
  contacts:write marketing:read marketing:write campaigns:read campaigns:write lists:read lists:write approvals:read
  approvals:write links:read links:write connectors:read audit:read keys:read events:write webhooks:manage`.split(
  /\s+/,
);

/** Implied scopes that future plugins declare, besides the read scope that every other scope implies */
const impliedScopes: Readonly<Record<string, readonly string[]>> = {
  'templates:send': ['sends:read'],
  'social:posts:publish': ['social:posts:write'],
};
const declare = (...scopes: string[]): ScopeDeclaration[] =>
  scopes.map((scope) => ({ scope, description: scope, implies: impliedScopes[scope] ?? [] }));
const registry = createScopeRegistry(declare(...all));
const expand = (...scopes: string[]): string[] => [...registry.expand(scopes)].sort();

test('a scope of a plugin is in the preset full, and in the presets that the scope names', () => {
  const ownRegistry = createScopeRegistry([
    ...declare('toys:write'),
    { scope: 'toys:read', description: 'Read toys.', presets: ['read', 'author'] },
  ]);
  assert.equal(ownRegistry.preset('read'), ['toys:read']);
  assert.equal(ownRegistry.preset('author'), ['toys:read']);
  assert.equal(ownRegistry.preset('send'), []);
  assert.equal(ownRegistry.preset('full'), ['toys:write', 'toys:read']);
});

test('any scope on a resource implies reading it', () => {
  assert.equal(expand('links:write'), ['links:read', 'links:write']);
  assert.equal(expand('pages:export'), ['pages:export', 'pages:read']);
  assert.equal(expand('suppressions:bypass'), ['suppressions:bypass', 'suppressions:read']);
  assert.equal(expand('approvals:write'), ['approvals:read', 'approvals:write']);
  assert.equal(expand('sequences:trigger'), ['sequences:read', 'sequences:trigger']);
});

test('sending templates implies reading sends, and publishing posts implies writing them', () => {
  assert.equal(expand('templates:send'), ['sends:read', 'templates:read', 'templates:send']);
  assert.equal(expand('social:posts:publish'), ['social:posts:publish', 'social:posts:read', 'social:posts:write']);
  const dottedScopes = ['messaging.transactional.read', 'messaging.transactional.send'];
  assert.equal(expand('messaging.transactional.send'), dottedScopes);
});

test('reading implies nothing, and writing implies no other verbs', () => {
  for (const scope of all.filter((one) => /[:.]read$/.test(one))) assert.equal(expand(scope), [scope]);
  assert.equal(expand('templates:write'), ['templates:read', 'templates:write']);
  assert.equal(expand('social:posts:write'), ['social:posts:read', 'social:posts:write']);
});

test('if no read scope exists, nothing is implied', () => {
  for (const scope of ['events:write', 'flows:enroll', 'webhooks:manage']) assert.equal(expand(scope), [scope]);
});

test('declared implications apply through any chain, including cycles', () => {
  const ownRegistry = createScopeRegistry([
    { scope: 'a:manage', description: 'a', implies: ['b:write', 'missing:read'] },
    { scope: 'b:write', description: 'b', implies: ['c:x'] },
    { scope: 'b:read', description: 'b' },
    { scope: 'c:x', description: 'c', implies: ['a:manage'] },
  ]);
  assert.equal([...ownRegistry.expand(['a:manage'])].sort(), ['a:manage', 'b:read', 'b:write', 'c:x']);
});

test('no key has a scope that no composed plugin declares', () => {
  const small = createScopeRegistry(declare('templates:send', 'links:write'));
  assert.equal(
    [...small.expand(['templates:send', 'pages:write', 'toString', '__proto__', '', ':', '*'])],
    ['templates:send'],
  );
  assert.ok(small.has('links:write'));
  for (const scope of ['links:read', 'toString', '*', '']) assert.not.ok(small.has(scope));
  assert.is(small.expand([]).size, 0);
});

test("expanding is the union of its parts' expansions, and is idempotent", () => {
  fc.assert(
    fc.property(fc.subarray(all), (held) => {
      const expandedAll = registry.expand(held);
      const union = new Set(held.flatMap((scope) => [...registry.expand([scope])]));
      assert.equal([...expandedAll].sort(), [...union].sort());
      assert.equal([...registry.expand(expandedAll)].sort(), [...expandedAll].sort());
      assert.ok(held.every((scope) => expandedAll.has(scope)));
    }),
  );
});

/** The complete presets. Scopes of plugins that are not composed are ignored. */
const readPreset = `workspace:read brand:read templates:read sends:read suppressions:read messaging.transactional.read
  social:posts:read pages:read compositions:read sequences:read contacts:read marketing:read campaigns:read lists:read
  approvals:read links:read connectors:read audit:read keys:read assets:read topics:read
  broadcasts:read jobs:read`.split(/\s+/);
const expectedScopes: Readonly<Record<Exclude<Preset, 'full'>, readonly string[]>> = {
  read: readPreset,
  send: `workspace:read brand:read templates:read templates:send sends:read suppressions:read messaging.transactional.read
    messaging.transactional.send events:write sequences:read sequences:trigger flows:enroll contacts:read contacts:write
    social:posts:read social:posts:write social:posts:publish links:read links:write assets:read assets:write
    approvals:read approvals:submit topics:read broadcasts:read`.split(/\s+/),
  author: [
    ...readPreset,
    ...`brand:write pages:write pages:publish pages:export compositions:write social:posts:write campaigns:write
      marketing:write lists:write links:write contacts:write sequences:write assets:write approvals:submit
      templates:propose topics:write broadcasts:write`.split(/\s+/),
  ],
};

test('the composed plugins assign their scopes to the expected presets', () => {
  const composedRegistry = createScopeRegistry(standardPlugins.flatMap(({ scopes }) => scopes));
  const allScopes = composedRegistry.preset('full');
  assert.ok(allScopes.includes('contacts:erase'));
  for (const name of ['read', 'send', 'author'] as const) {
    const conventionScopes = expectedScopes[name].filter((scope) => allScopes.includes(scope));
    assert.ok(conventionScopes.length > 3, name);
    assert.equal(composedRegistry.preset(name).sort(), conventionScopes.sort(), name);
  }
});

test('a preset contains exactly the scopes that it implies, and only full can erase and bypass', () => {
  const composedRegistry = createScopeRegistry(standardPlugins.flatMap(({ scopes }) => scopes));
  for (const name of ['read', 'send', 'author'] as const) {
    const expandedScopes = composedRegistry.expand(composedRegistry.preset(name));
    assert.equal([...expandedScopes].sort(), composedRegistry.preset(name).sort(), `${name} implies no further scope`);
    for (const scope of ['contacts:erase', 'suppressions:bypass', 'templates:write'])
      assert.not.ok(expandedScopes.has(scope));
    assert.is(expandedScopes.has('templates:send'), name === 'send');
  }
});

test('there are four presets', () => {
  assert.throws(
    () => registry.preset('toString' as Preset),
    /There is no preset toString. Available: read, send, author, full/,
  );
});

test('the registry id depends on the declarations and their implications', () => {
  assert.is(createScopeRegistry(declare('a:read', 'b:read')).id, createScopeRegistry(declare('a:read', 'b:read')).id);
  assert.is.not(createScopeRegistry(declare('a:read')).id, createScopeRegistry(declare('a:read', 'b:read')).id);
  const implying = [{ scope: 'a:read', description: 'a:read', implies: ['b:read'] }, ...declare('b:read')];
  assert.is.not(createScopeRegistry(implying).id, createScopeRegistry(declare('a:read', 'b:read')).id);
});

test.run();
