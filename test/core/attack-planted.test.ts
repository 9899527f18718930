// Tests the attack checks in this folder: each finds a fault that was planted for it, and reports nothing for correct behaviour.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { defineOperation, type Operation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { foreignIdLeaks } from './attack-interfaces.ts';
import { attackBody, attackInside, attackQuery, attackTool, namesToInject } from './field-attacks.ts';
import { codeIn } from './html-code.ts';
import { encodingsOf, findSecrets } from './secret-search.ts';
import { changesOf, rowsOf } from './table-rows.ts';
import { injectedInto } from './wire-mail.ts';

const test = suite('the checks of the attacks');

const scopes = ['box:write'];

/** Removes unknown members of the object inside its body, like an object schema that is not strict. */
const looseBox = defineOperation({
  id: 'box.loose',
  summary: 'Fill a box',
  http: 'POST /v1/boxes',
  tool: 'fill_box',
  scopes,
  idempotency: 'recorded',
  input: { body: z.object({ box: z.object({ size: z.int() }) }) },
  output: z.object({ size: z.int() }),
  audit: { action: 'box.fill', target: () => ({ kind: 'box', id: 'it' }) },
  fixture: async () => ({ body: { box: { size: 1 } } }),
  handler: async (_ctx, { body }) => ({ size: body.box.size }),
});

/** Accepts any undeclared input. */
const openBox: Operation = {
  ...looseBox,
  id: 'box.open',
  path: '/v1/open-boxes',
  tool: { name: 'open_box' },
  input: { params: undefined, query: z.looseObject({}), body: z.looseObject({ box: z.unknown() }) },
  handler: async () => ({ size: 1 }),
};

/** Reveals in its error message whether a foreign id exists. */
const leakingBox: Operation = {
  ...looseBox,
  id: 'box.tell',
  method: 'GET',
  path: '/v1/boxes/{id}',
  tool: { name: 'tell_box' },
  idempotency: 'read',
  audit: undefined,
  input: { params: z.object({ id: z.string() }).strict(), query: undefined, body: undefined },
  fixture: async () => ({ params: { id: 'box_1' }, foreign: { id: 'box_7' } }),
  handler: async (ctx, input) => {
    const { id } = input.params as { id: string };
    const error = ctx.services.templates.resolve(ctx, `${id}${id === 'box_7' ? '!' : ''}`, { drafts: true });
    return error.then(() => ({ size: 1 }));
  },
};

const boxPlugin = definePlugin({
  id: 'box',
  scopes: [{ scope: 'box:write', description: 'For tests.' }],
  operations: [looseBox, openBox, leakingBox],
});

/** Runs a test on a bench that includes the planted operations. */
async function withBench(
  run: (bench: AttackBench, operation: (id: string) => Operation) => Promise<void>,
): Promise<void> {
  const createStorage = () => sqliteStorage({ filename: ':memory:' });
  const bench = await openBench({ name: 'sqlite', createStorage, newPrefix: () => 't_' }, { plugins: [boxPlugin] });
  try {
    await run(bench, (id) => {
      const operation = bench.test.service.core.registry.operations.get(id);
      if (operation === undefined) throw new Error(`There is no operation ${id}.`);
      return operation;
    });
  } finally {
    await bench.close();
  }
}

test('the check finds an unknown member that an inner object ignores, even if the body itself is strict', () =>
  withBench(async (bench, operation) => {
    const [box, fixture] = [operation('box.loose'), { body: { box: { size: 1 } } }];
    const names = namesToInject(bench).slice(0, 20);
    assert.equal((await attackBody(bench, names, box, fixture)).notRefused, []);
    const { notRefused: taken, attempts } = await attackInside(bench, names, box, fixture);
    // __proto__ is refused before any schema runs.
    assert.equal([taken.length, attempts], [19, 20]);
    assert.ok(taken.every((line) => line.startsWith('box.')));
  }));

test('the check finds undeclared names that a body, a query or a tool accepts', () =>
  withBench(async (bench, operation) => {
    const [box, fixture] = [operation('box.open'), { body: { box: 1 } }];
    const names = ['workspace_id', 'sandbox'];
    for (const attack of [attackBody, attackQuery, attackTool])
      assert.is((await attack(bench, names, box, fixture)).notRefused.length, 2);
  }));

test('the check finds an id that is answered differently from a missing id', () =>
  withBench(async (bench, operation) => {
    const revealing = operation('box.tell');
    const leaks = await foreignIdLeaks(bench, revealing, await revealing.fixture(bench.kit));
    assert.is(leaks.length, 4, 'one for each interface and key');
    const correctOperation = operation('templates.read');
    assert.equal(await foreignIdLeaks(bench, correctOperation, await correctOperation.fixture(bench.kit)), []);
  }));

test('the check detects an added, a changed and a removed row', () =>
  withBench(async (bench) => {
    const snapshots = [await rowsOf(bench.test)];
    await bench.post('/v1/suppressions', { email: 'a@example.org' });
    snapshots.push(await rowsOf(bench.test));
    await bench.post('/v1/suppressions', { email: 'a@example.org', note: 'x' });
    snapshots.push(await rowsOf(bench.test));
    await bench.ask({ method: 'DELETE', url: '/v1/suppressions/a@example.org' });
    snapshots.push(await rowsOf(bench.test));
    assert.is(new Set(snapshots).size, 4);
    await bench.get('/v1/suppressions');
    assert.is(await rowsOf(bench.test), snapshots[3]);
    const [unchanged = '', added = '', changed = '', removed = ''] = snapshots;
    assert.equal(changesOf(unchanged, unchanged), []);
    for (const [before, after] of [
      [unchanged, added],
      [added, changed],
      [changed, removed],
    ] as const)
      assert.ok(changesOf(before, after).length > 0);
  }));

const plain = 'From: a@b.cc\r\nTo: c@d.ee\r\nSubject: x\r\n y\r\nContent-Type: text/plain\r\n\r\nBcc: in the body\r\n';
const findingsIn = (raw: string): string[] =>
  injectedInto(Buffer.from(raw, 'latin1'), new Set(['from', 'to', 'subject', 'content-type']));

test('the check finds an injected header in every place', () => {
  assert.equal(findingsIn(plain), []);
  assert.equal(findingsIn(plain.replace('\r\nTo', '\r\nBcc: e@f.gg\r\nTo')), ['a header bcc']);
  assert.equal(findingsIn(plain.replace('\r\nTo', '\r\nTo: e@f.gg\r\nTo')), ['the header to twice']);
  assert.ok(findingsIn(plain.replace('Subject: x', 'Subject: x\nBcc: e@f.gg')).includes('a bare CR or LF in a header'));
  assert.ok(findingsIn(plain.replace('Subject: x', 'Subject: x\vBcc: e@f.gg')).includes('a header bcc'));
  assert.ok(
    findingsIn(plain.replace('\r\n y', '\r\n  \r\n y')).some((fault) =>
      fault.startsWith('a line that is not a header'),
    ),
  );
  const parts = plain.replace(
    'text/plain\r\n\r\n',
    'multipart/mixed; boundary="b"\r\n\r\n--b\r\nX-Injected: 1\r\n\r\n',
  );
  assert.equal(findingsIn(parts), ['a header x-injected in a part']);
});

test('the check finds code in a mail in every spelling', () => {
  const sound =
    '<p title="onclick=a()">&lt;script&gt; <a href="https://x.example/?u=javascript:a()">x</a><!-- <script> --></p>';
  assert.equal(codeIn(sound), []);
  const codes = [
    '<script>a()</script>',
    '<img src=x onerror=a()>',
    '<a href="java&#115;cript:a()">x</a>',
    '<a href=" \u0001javascript:a()">x</a>',
    '<a href="java\nscript:a()">x</a>',
    '<svg onload=a()>',
    '<div><style></div><iframe srcdoc="x"></iframe></style><iframe></iframe>',
    '<template><script>a()</script></template>',
    '<img src="data:text/html,x">',
  ];
  for (const html of codes) assert.ok(codeIn(html).length > 0, html);
});

test('the check finds a secret in every encoding and next to any text', () => {
  const secret = 'kX93bQ7mZp2LrT8vYw4NsH6d';
  for (const [name, needle] of encodingsOf(secret))
    assert.ok(findSecrets([['place', `before${needle}behind`]], { it: secret }).length === 1, name);
  for (const before of ['', 'a', 'ab', 'abc'])
    for (const encoding of ['base64', 'base64url', 'hex', 'utf16le', 'latin1'] as const) {
      const bytes = Buffer.from(`${before}${secret}${before}`);
      const content = encoding === 'utf16le' ? Buffer.from(`${before}${secret}`, 'utf16le') : bytes.toString(encoding);
      assert.is(findSecrets([['place', content]], { it: secret }).length, 1, `${before} ${encoding}`);
    }
  const deep = { a: [{ b: new Map([['c', new Error(`with ${secret}`)]]) }] };
  assert.is(findSecrets([['place', deep]], { it: secret }).length, 1);
  assert.equal(findSecrets([['place', `${secret.slice(0, 10)} ${secret.slice(13)}`]], { it: secret }), []);
});

test.run();
