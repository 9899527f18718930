// time-limit: 300
// Values that pass every schema but that some database, text or clock cannot store. Each is refused with its path, in
// every place of every operation, over REST and as a tool, and in the same way on every database.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Fixture } from '../../core/contract/fixture.ts';
import type { Operation } from '../../core/contract/operation.ts';
import { flatInput } from '../../core/projections/flat.ts';
import { eachDatabase } from '../support/databases.ts';
import type { Judged } from './answer-judge.ts';
import { type Bench, openBench } from './attack-bench.ts';
import { askRest, callTool, errorIn } from './attack-doors.ts';
import { changesOf, rowsOf } from './table-rows.ts';

const unwritable = { NUL: 'a\0b', 'half a pair': 'a\ud83d', 'the other half': '\ude00a' };

function assertRefused(answer: Judged, path: string, code: string): void {
  assert.equal(answer.faults, []);
  const error = errorIn(answer);
  assert.is(error?.code, 'validation_failed', answer.text);
  assert.equal([error.details[0].path, error.details[0].code], [path, code]);
}

await eachDatabase('values that nothing holds', (test, database) => {
  let bench: Bench;
  let template: string;
  const operations = (): Operation[] => [...bench.test.service.core.registry.operations.values()];
  test.before(async () => {
    bench = await openBench(database);
    template = await bench.publish({ variables: { type: 'object', additionalProperties: true } });
  });
  test.after(() => bench.close());

  const send = (text: string): Promise<Judged> => bench.post(`/v1/templates/${template}/send`, text);

  for (const [name, text] of Object.entries(unwritable)) {
    test(`${name} is refused in every place of every operation`, async () => {
      let places = 0;
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
          places += 1;
        }
      }
      assert.equal(changesOf(before, await rowsOf(bench.test)), [], 'a refused call changed something');
      assert.ok(places > 50, `only ${places} places were tried`);
    });

    test(`${name} is refused in member names at any depth`, async () => {
      const answer = await send(JSON.stringify({ to: 'a@b.cc', variables: { list: [{ [text]: 1 }] } }));
      assertRefused(answer, `variables.list.0.${text}`, 'text_invalid');
    });
  }

  test('numbers that JSON allows but a double cannot represent are refused', async () => {
    for (const figure of ['1e309', '-1e999', `1${'0'.repeat(400)}`])
      assertRefused(await send(`{"to":"a@b.cc","variables":{"a":[${figure}]}}`), 'variables.a.0', 'number_invalid');
    for (const figure of ['1e308', '-0', '5e-324', '123456789012345678901234567890'])
      assert.is((await send(`{"to":"a@b.cc","variables":{"a":[${figure}]}}`)).status, 202, figure);
  });

  test('times that cannot be written in the wire format are refused, with any offset', async () => {
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

  test('a tool refuses lists and objects for a text parameter of a query instead of converting them', async () => {
    const odd = [[{ toString: 1, valueOf: 1 }], { toString: 1, valueOf: 1 }, [[['a']]], [null], ['a', { b: 1 }]];
    for (const to of odd) {
      const answer = await bench.tool('list_sends', { to });
      assert.equal(answer.faults, [], JSON.stringify(to));
      assert.is(errorIn(answer).code, 'validation_failed', JSON.stringify(to));
    }
    for (const limit of odd) assert.is(errorIn(await bench.tool('list_sends', { limit })).code, 'validation_failed');
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
