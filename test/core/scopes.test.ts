// Which scopes other scopes imply, and which scopes the presets contain.
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

/** Implied scopes that future plugins declare, besides the read scope that every verb implies. */
const implied: Readonly<Record<string, readonly string[]>> = {
  'templates:send': ['sends:read'],
  'social:posts:publish': ['social:posts:write'],
};
const declare = (...scopes: string[]): ScopeDeclaration[] =>
  scopes.map((scope) => ({ scope, description: scope, implies: implied[scope] ?? [] }));
const registry = createScopeRegistry(declare(...all));
const expanded = (...scopes: string[]): string[] => [...registry.expand(scopes)].sort();

test("a plugin's scope is in the preset full, and in the presets that it names", () => {
  const own = createScopeRegistry([
    ...declare('toys:write'),
    { scope: 'toys:read', description: 'Read toys.', presets: ['read', 'author'] },
  ]);
  assert.equal(own.preset('read'), ['toys:read']);
  assert.equal(own.preset('author'), ['toys:read']);
  assert.equal(own.preset('send'), []);
  assert.equal(own.preset('full'), ['toys:write', 'toys:read']);
});

test('any verb on a resource implies reading it', () => {
  assert.equal(expanded('links:write'), ['links:read', 'links:write']);
  assert.equal(expanded('pages:export'), ['pages:export', 'pages:read']);
  assert.equal(expanded('suppressions:bypass'), ['suppressions:bypass', 'suppressions:read']);
  assert.equal(expanded('approvals:write'), ['approvals:read', 'approvals:write']);
  assert.equal(expanded('sequences:trigger'), ['sequences:read', 'sequences:trigger']);
});

test('sending templates implies reading sends, and publishing posts implies writing them', () => {
  assert.equal(expanded('templates:send'), ['sends:read', 'templates:read', 'templates:send']);
  assert.equal(expanded('social:posts:publish'), ['social:posts:publish', 'social:posts:read', 'social:posts:write']);
  const dotted = ['messaging.transactional.read', 'messaging.transactional.send'];
  assert.equal(expanded('messaging.transactional.send'), dotted);
});

test('reading implies nothing, and writing implies no other verbs', () => {
  for (const scope of all.filter((one) => /[:.]read$/.test(one))) assert.equal(expanded(scope), [scope]);
  assert.equal(expanded('templates:write'), ['templates:read', 'templates:write']);
  assert.equal(expanded('social:posts:write'), ['social:posts:read', 'social:posts:write']);
});

test('if no read scope exists, nothing is implied', () => {
  for (const scope of ['events:write', 'flows:enroll', 'webhooks:manage']) assert.equal(expanded(scope), [scope]);
});

test('declared implications apply through any chain, including cycles', () => {
  const own = createScopeRegistry([
    { scope: 'a:manage', description: 'a', implies: ['b:write', 'missing:read'] },
    { scope: 'b:write', description: 'b', implies: ['c:x'] },
    { scope: 'b:read', description: 'b' },
    { scope: 'c:x', description: 'c', implies: ['a:manage'] },
  ]);
  assert.equal([...own.expand(['a:manage'])].sort(), ['a:manage', 'b:read', 'b:write', 'c:x']);
});

test('a scope that no composed plugin declares is never held', () => {
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
      const whole = registry.expand(held);
      const union = new Set(held.flatMap((scope) => [...registry.expand([scope])]));
      assert.equal([...whole].sort(), [...union].sort());
      assert.equal([...registry.expand(whole)].sort(), [...whole].sort());
      assert.ok(held.every((scope) => whole.has(scope)));
    }),
  );
});

/** The complete presets. Scopes of plugins that are not composed are ignored. */
const read = `workspace:read brand:read templates:read sends:read suppressions:read messaging.transactional.read
  social:posts:read pages:read compositions:read sequences:read contacts:read marketing:read campaigns:read lists:read
  approvals:read links:read connectors:read audit:read keys:read assets:read topics:read
  broadcasts:read jobs:read`.split(/\s+/);
const conventions: Readonly<Record<Exclude<Preset, 'full'>, readonly string[]>> = {
  read,
  send: `workspace:read brand:read templates:read templates:send sends:read suppressions:read messaging.transactional.read
    messaging.transactional.send events:write sequences:read sequences:trigger flows:enroll contacts:read contacts:write
    social:posts:read social:posts:write social:posts:publish links:read links:write assets:read assets:write
    approvals:read approvals:submit topics:read broadcasts:read`.split(/\s+/),
  author: [
    ...read,
    ...`brand:write pages:write pages:publish pages:export compositions:write social:posts:write campaigns:write
      marketing:write lists:write links:write contacts:write sequences:write assets:write approvals:submit
      templates:propose topics:write broadcasts:write`.split(/\s+/),
  ],
};

test('the composed plugins assign their scopes to the presets as in the conventions', () => {
  const composed = createScopeRegistry(standardPlugins.flatMap(({ scopes }) => scopes));
  const declared = composed.preset('full');
  assert.ok(declared.includes('contacts:erase'));
  for (const name of ['read', 'send', 'author'] as const) {
    const promised = conventions[name].filter((scope) => declared.includes(scope));
    assert.ok(promised.length > 3, name);
    assert.equal(composed.preset(name).sort(), promised.sort(), name);
  }
});

test('a preset holds exactly what it implies: only full can erase and bypass', () => {
  const composed = createScopeRegistry(standardPlugins.flatMap(({ scopes }) => scopes));
  for (const name of ['read', 'send', 'author'] as const) {
    const held = composed.expand(composed.preset(name));
    assert.equal([...held].sort(), composed.preset(name).sort(), `${name} is closed`);
    for (const scope of ['contacts:erase', 'suppressions:bypass', 'templates:write']) assert.not.ok(held.has(scope));
    assert.is(held.has('templates:send'), name === 'send');
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
