// time-limit: 300
// Values that match every schema but that some database, text or clock cannot store. Each is refused with its path, in every place of
// every operation, over REST and with a tool, and in the same way on every database.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Fixture } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { flatInput } from '../../core/projections/flat.ts';
import { eachDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { askRest, callTool, errorIn } from './attack-interfaces.ts';
import type { CheckedResponse } from './response-check.ts';
import { changesOf, rowsOf } from './table-rows.ts';

const unwritable = { NUL: 'a\0b', 'a lone high surrogate': 'a\ud83d', 'a lone low surrogate': '\ude00a' };

function assertRefused(answer: CheckedResponse, path: string, code: string): void {
  assert.equal(answer.faults, []);
  const error = errorIn(answer);
  assert.is(error?.code, 'validation_failed', answer.text);
  assert.equal([error.details[0].path, error.details[0].code], [path, code]);
}

await eachDatabase('values that cannot be stored', (test, database) => {
  let bench: AttackBench;
  let template: string;
  const operations = (): Operation[] => [...bench.test.service.core.registry.operations.values()];
  test.before(async () => {
    bench = await openBench(database);
    template = await bench.publish({ variables: { type: 'object', additionalProperties: true } });
  });
  test.after(() => bench.close());

  const send = (text: string): Promise<CheckedResponse> => bench.post(`/v1/templates/${template}/send`, text);

  for (const [name, text] of Object.entries(unwritable)) {
    test(`${name} is refused in every place of every operation`, async () => {
      let positionCount = 0;
      const fixtures: [Operation, Fixture][] = [];
      for (const operation of operations()) fixtures.push([operation, await operation.fixture(bench.kit)]);
      const before = await rowsOf(bench.test);
      for (const [operation, fixture] of fixtures) {
        for (const [argument, { part, field }] of flatInput(operation).arguments) {
          if (operation.tool !== undefined) {
            const tool = await callTool(bench, operation, fixture, { args: { [argument]: text } });
            assertRefused(tool, argument, 'text_invalid');
          }
          if (part === 'body') {
            const body = { ...(fixture.body as object), [field]: [{ [field]: text }] };
            assertRefused(await askRest(bench, operation, fixture, { body }), `${field}.0.${field}`, 'text_invalid');
          } else if (name === 'NUL') {
            const changes =
              part === 'query' ? { query: `${field}=a%00b` } : { params: { ...fixture.params, [field]: text } };
            assertRefused(await askRest(bench, operation, fixture, changes), field, 'text_invalid');
          }
          positionCount += 1;
        }
      }
      assert.equal(changesOf(before, await rowsOf(bench.test)), [], 'a refused call changed something');
      assert.ok(positionCount > 50, `only ${positionCount} places were tried`);
    });

    test(`${name} is refused in property names at any depth`, async () => {
      const answer = await send(JSON.stringify({ to: 'a@b.cc', variables: { list: [{ [text]: 1 }] } }));
      assertRefused(answer, `variables.list.0.${text}`, 'text_invalid');
    });
  }

  test('numbers that JSON allows but a double cannot represent are refused', async () => {
    for (const number of ['1e309', '-1e999', `1${'0'.repeat(400)}`])
      assertRefused(await send(`{"to":"a@b.cc","variables":{"a":[${number}]}}`), 'variables.a.0', 'number_invalid');
    for (const number of ['1e308', '-0', '5e-324', '123456789012345678901234567890'])
      assert.is((await send(`{"to":"a@b.cc","variables":{"a":[${number}]}}`)).status, 202, number);
  });

  test('a time that cannot be written in the wire format is refused, with any offset', async () => {
    const until = (time: string) => bench.post('/v1/suppressions', { email: 'a@example.org', expires_at: time });
    for (const time of [
      '9999-12-31T23:59:59-23:59',
      '0000-01-01T00:00:00+00:01',
      '10000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01T24:00:00Z',
    ]) {
      const answer = await until(time);
      assert.equal([...answer.faults, answer.status], [422], time);
    }
    for (const time of ['9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z', '2026-02-28T23:59:59+14:00'])
      assert.is((await until(time)).status, 201, time);
  });

  test('a tool does not convert lists and objects for a text parameter of a query, but refuses them', async () => {
    const nonTexts = [[{ toString: 1, valueOf: 1 }], { toString: 1, valueOf: 1 }, [[['a']]], [null], ['a', { b: 1 }]];
    for (const to of nonTexts) {
      const answer = await bench.tool('list_sends', { to });
      assert.equal(answer.faults, [], JSON.stringify(to));
      assert.is(errorIn(answer).code, 'validation_failed', JSON.stringify(to));
    }
    for (const limit of nonTexts)
      assert.is(errorIn(await bench.tool('list_sends', { limit })).code, 'validation_failed');
  });

  test('a contract whose examples are not objects does not break its response', async () => {
    for (const examples of [[[1]], ['a'], [null], [], [[], { name: 'Ada' }]]) {
      const { key, answer } = await bench.create({ variables: { type: 'object', examples } });
      assert.is(answer.status, 201);
      const { faults, status, json } = await bench.get(`/v1/templates/${key}/schema`);
      assert.equal([...faults, status], [200], JSON.stringify(examples));
      assert.equal(json.examples, examples.length === 2 ? { name: 'Ada' } : {});
    }
  });

  test('texts with a special meaning for databases are stored unchanged', async () => {
    const texts = [
      '{}',
      '[]',
      'null',
      "it's",
      '\\x00',
      '\\u0000',
      '$1',
      '?',
      'é',
      'e\u0301',
      '😀',
      '\u202e',
      '\x01',
      ' a ',
      '\u{10ffff}',
      'İ',
    ];
    for (const name of texts) {
      const { key, answer } = await bench.create({ subject: name } as never);
      assert.is(answer.status, 201, name);
      assert.is((await bench.get(`/v1/templates/${key}`)).json.subject, name);
    }
  });
});
