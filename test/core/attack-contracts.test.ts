// time-limit: 300
// Attacks through the contract of a template, which is compiled to code: each is refused with an error code, none of its code runs, and
// no accepted pattern makes a send slow.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { contractAttacks } from './contract-attacks.ts';

const hasCodeRun = (): boolean => 'owned' in globalThis;

await eachDatabase('attacks through contracts', (test, database) => {
  let bench: AttackBench;
  test.before(async () => {
    bench = await openBench(database);
  });
  test.after(() => bench.close());

  for (const [name, contract, code] of contractAttacks) {
    test(`${name} is refused`, async () => {
      const { answer } = await bench.create({ variables: contract });
      assert.equal(answer.faults, []);
      assert.is(answer.status, 422, answer.text);
      assert.is(answer.json.error.code, 'template_invalid');
      const codes = answer.json.error.details.map((detail: { code: string }) => detail.code);
      assert.ok(codes.includes(code), answer.text);
      assert.not.ok(hasCodeRun(), 'a value of the contract ran as code');
    });
  }

  test('a variable named __proto__ is refused', async () => {
    const text = '{"key":"p","variables":{"type":"object","properties":{"__proto__":{"type":"string"}}}}';
    const answer = await bench.post('/v1/templates', text);
    assert.is(answer.json.error.code, 'validation_failed', answer.text);
    assert.is(answer.json.error.details[0].path, 'variables.properties.__proto__');
  });

  test('code in titles, defaults, enums, constants and examples stays text and never runs', async () => {
    const code = `'];globalThis.owned=1;//\`\${globalThis.owned=1}\u2028*/`;
    const x = { type: 'string', title: code, description: code, enum: [code, 'b'], default: code, examples: [code] };
    const y = { type: 'string', const: code };
    const variables = { type: 'object', properties: { x, y, if: { type: 'number' }, class: { type: 'string' } } };
    const key = await bench.publish({ body: '<p>{{ x }}</p>', variables });
    for (const [variables, status] of [
      [{}, 202],
      [{ x: code, y: code, if: 1 }, 202],
      [{ x: 'c' }, 422],
      [{ y: 'c' }, 422],
      [{ class: 1 }, 422],
    ] as const)
      assert.is((await bench.send(key, variables)).answer.status, status, JSON.stringify(variables));
    await bench.test.drain();
    assert.not.ok(hasCodeRun());
  });

  test('hostile variables are validated as values and never run', async () => {
    const key = await bench.publish({
      variables: {
        type: 'object',
        additionalProperties: true,
        properties: { x: { type: 'string' }, l: { type: 'array', items: { type: 'integer' } } },
      },
    });
    const hostile: readonly unknown[] = [
      { x: { toString: 1 } },
      { x: ['a'] },
      { l: { length: 1 } },
      { l: [1.5] },
      { constructor: 1 },
      { toString: 'a' },
    ];
    for (const variables of hostile) {
      const { answer } = await bench.send(key, variables);
      assert.is(answer.json.error?.code, 'variables_invalid', answer.text);
      assert.equal(answer.faults, []);
    }
    const { answer } = await bench.send(key, { "a'];globalThis.owned=1;//": { b: 1 } });
    assert.equal(answer.faults, []);
    assert.not.ok(hasCodeRun());
  });

  test('an accepted pattern stays fast on the longest text', async () => {
    for (const pattern of ['.*.*=.*', '^[a-z]*[a-z]*[0-9]$', '(a|b)*c', '^\\S+@\\S+$']) {
      const key = await bench.publish({
        variables: { type: 'object', properties: { x: { type: 'string', pattern } } },
      });
      for (const x of ['a'.repeat(100_000), `${'ab'.repeat(50_000)}!`]) {
        const { answer } = await bench.send(key, { x });
        assert.equal(answer.faults, [], pattern);
        assert.is(answer.status, 422, pattern);
      }
    }
  });
});
