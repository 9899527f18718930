// What scopes imply and presets hold.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { presets } from '../../core/contract/presets.ts';
import type { Preset, ScopeDeclaration } from '../../core/contract/scopes.ts';
import { createScopeRegistry } from '../../core/pipeline/scopes.ts';

const test = suite('scopes');

const all = `workspace:read brand:read brand:write templates:read templates:write templates:send sends:read
  suppressions:read suppressions:write suppressions:bypass messaging.transactional.read messaging.transactional.send
  social:posts:read social:posts:write social:posts:publish pages:read pages:write pages:publish pages:export
  compositions:read compositions:write sequences:read sequences:write sequences:trigger flows:enroll contacts:read
  contacts:write marketing:read marketing:write campaigns:read campaigns:write lists:read lists:write approvals:read
  approvals:write links:read links:write connectors:read audit:read keys:read events:write webhooks:manage`.split(
  /\s+/,
);

const declare = (...scopes: string[]): ScopeDeclaration[] => scopes.map((scope) => ({ scope, description: scope }));
const registry = createScopeRegistry(declare(...all));
const expanded = (...scopes: string[]): string[] => [...registry.expand(scopes)].sort();

test('a scope of a plugin is in full, and in the presets that it names', () => {
  const own = createScopeRegistry([
    ...declare('links:read', 'toys:write'),
    { scope: 'toys:read', description: 'Read toys.', presets: ['read'] },
  ]);
  assert.equal(own.preset('read'), ['links:read', 'toys:read']);
  assert.equal(own.preset('full'), ['links:read', 'toys:write', 'toys:read']);
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

test('reading implies nothing, nor does writing imply other verbs', () => {
  for (const scope of all.filter((one) => /[:.]read$/.test(one))) assert.equal(expanded(scope), [scope]);
  assert.equal(expanded('templates:write'), ['templates:read', 'templates:write']);
  assert.equal(expanded('social:posts:write'), ['social:posts:read', 'social:posts:write']);
});

test('where no reading scope exists nothing is implied', () => {
  for (const scope of ['events:write', 'flows:enroll', 'webhooks:manage']) assert.equal(expanded(scope), [scope]);
});

test('what a plugin declares as implied counts, however long the chain, circles too', () => {
  const own = createScopeRegistry([
    { scope: 'a:manage', description: 'a', implies: ['b:write', 'missing:read'] },
    { scope: 'b:write', description: 'b', implies: ['c:x'] },
    { scope: 'b:read', description: 'b' },
    { scope: 'c:x', description: 'c', implies: ['a:manage'] },
  ]);
  assert.equal([...own.expand(['a:manage'])].sort(), ['a:manage', 'b:read', 'b:write', 'c:x']);
});

test('a scope that no composed plugin declares is held by nobody', () => {
  const small = createScopeRegistry(declare('templates:send', 'links:write'));
  assert.equal(
    [...small.expand(['templates:send', 'pages:write', 'toString', '__proto__', '', ':', '*'])],
    ['templates:send'],
  );
  assert.ok(small.has('links:write'));
  for (const scope of ['links:read', 'toString', '*', '']) assert.not.ok(small.has(scope));
  assert.is(small.expand([]).size, 0);
});

test('expanding is what its parts expand to, and expanding again adds nothing', () => {
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

test('presets hold their declared scopes; full holds all, bypass too', () => {
  assert.equal(registry.preset('read'), [...presets.read]);
  assert.equal(registry.preset('send'), [...presets.send]);
  assert.equal(registry.preset('author'), [...presets.author]);
  assert.equal(registry.preset('full'), all);
  const small = createScopeRegistry(declare('links:write', 'links:read', 'own:thing'));
  assert.equal(small.preset('read'), ['links:read']);
  assert.equal(small.preset('send').sort(), ['links:read', 'links:write']);
  assert.equal(small.preset('full'), ['links:write', 'links:read', 'own:thing']);
  assert.throws(() => registry.preset('toString' as Preset), /There is no preset toString/);
});

test('every scope of a preset is one that the service knows, once', () => {
  for (const scopes of Object.values(presets)) {
    assert.equal(
      scopes.filter((scope) => !all.includes(scope)),
      [],
    );
    assert.is(new Set(scopes).size, scopes.length);
  }
});

test('presets keep what the conventions promise', () => {
  assert.ok(presets.read.every((scope) => /[:.]read$/.test(scope)));
  assert.is(presets.read.length, 19);
  assert.is(presets.send.length, 19);
  assert.is(presets.author.length, 31);
  const author = registry.expand(presets.author);
  for (const scope of ['templates:write', 'templates:send', 'messaging.transactional.send', 'social:posts:publish']) {
    assert.not.ok(author.has(scope), scope);
  }
  assert.ok(registry.expand(presets.send).has('social:posts:publish'));
  assert.ok(author.has('compositions:write'));
  for (const name of ['read', 'send', 'author'] as const)
    assert.not.ok(registry.preset(name).includes('suppressions:bypass'));
});

test('the id stands for the declarations and what they imply', () => {
  assert.is(createScopeRegistry(declare('a:read', 'b:read')).id, createScopeRegistry(declare('a:read', 'b:read')).id);
  assert.is.not(createScopeRegistry(declare('a:read')).id, createScopeRegistry(declare('a:read', 'b:read')).id);
  const implying = [{ scope: 'a:read', description: 'a:read', implies: ['b:read'] }, ...declare('b:read')];
  assert.is.not(createScopeRegistry(implying).id, createScopeRegistry(declare('a:read', 'b:read')).id);
});

test.run();
