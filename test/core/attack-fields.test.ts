// time-limit: 300
// Mass assignment: every field name of responses, columns and other inputs is passed to operations that do not declare it. At every
// level, over REST and with a tool, the field is refused by name and nothing changes.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Fixture } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { oneDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { attackBody, attackInside, attackQuery, attackTool, namesToInject } from './field-attacks.ts';
import { changesOf, rowsOf } from './table-rows.ts';

const attacks = {
  'no body accepts a name that it does not declare': attackBody,
  'no object inside a body accepts a name that it does not declare': attackInside,
  'no query accepts a parameter that it does not declare': attackQuery,
  'no tool accepts an argument that it does not declare': attackTool,
};

await oneDatabase('mass assignment', (test, database) => {
  let bench: AttackBench;
  let names: readonly string[];
  const fixtures: [Operation, Fixture][] = [];
  test.before(async () => {
    bench = await openBench(database);
    names = namesToInject(bench);
    for (const operation of bench.test.service.core.registry.operations.values())
      fixtures.push([operation, await operation.fixture(bench.kit)]);
  });
  test.after(() => bench.close());

  test('the tested names include fields of responses, columns and inputs', () => {
    for (const name of [
      'workspace_id',
      'sandbox',
      'createdAt',
      'secret_hash',
      'status',
      'monthly_send_budget',
      'allowBreaking',
    ])
      assert.ok(names.includes(name), name);
  });

  for (const [title, attack] of Object.entries(attacks)) {
    test(title, async () => {
      let tried = 0;
      const before = await rowsOf(bench.test);
      for (const [operation, fixture] of fixtures) {
        const { attempts, notRefused: taken } = await attack(bench, names, operation, fixture);
        assert.equal(taken, [], operation.id);
        tried += attempts;
      }
      assert.equal(changesOf(before, await rowsOf(bench.test)), [], 'a refused call changed something');
      assert.ok(tried > 500, `only ${tried} names were tried`);
      console.log(`# ${tried} names that nobody may set, on ${database.name}`);
    });
  }
});
