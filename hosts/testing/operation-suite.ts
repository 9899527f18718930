// The generated tests of operations, made from their fixtures: success, scopes, unknown fields, foreign ids, lists, both sides,
// declared errors, media types, spellings of addresses, dry runs, replays. The suite also checks declarations that createService does
// not check. A plugin's test file calls the suite with its runner's `test(name, fn)`.
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { createFixtureKit } from './fixture-kit.ts';
import { addressChecks } from './operation-suite/addresses.ts';
import { changeChecks } from './operation-suite/changes.ts';
import { checkDeclarations } from './operation-suite/declarations.ts';
import { errorsCheck } from './operation-suite/errors.ts';
import { listChecks } from './operation-suite/lists.ts';
import { foreignCheck } from './operation-suite/missing.ts';
import { ordinaryChecks } from './operation-suite/ordinary.ts';
import { checkSharedRows } from './operation-suite/personal.ts';
import { representationsCheck } from './operation-suite/representations.ts';
import type { OperationCheck } from './operation-suite/request.ts';
import { sidesCheck } from './operation-suite/sides.ts';
import type { AnyTestService } from './test-service.ts';

type Register = (name: string, run: () => Promise<void>) => void;
type Open = () => Promise<AnyTestService>;

const checksOf = (operation: Operation): readonly OperationCheck[] => [
  ...ordinaryChecks,
  foreignCheck,
  ...listChecks(operation),
  sidesCheck,
  ...(operation.errors.length > 0 ? [errorsCheck] : []),
  ...(operation.representations.size > 0 ? [representationsCheck] : []),
  ...addressChecks(operation),
  ...changeChecks(operation),
];

/** The time between two tests on the simulated clock, in milliseconds. The rate limits recover in it. */
const betweenMs = 2_000;

/**
 * One service for all tests of an operation, whose rows do not collide. After a failed test, the next test gets a new service.
 */
function sharedService(open: Open, tests: number) {
  let testsLeft = tests;
  let openedService: AnyTestService | undefined;
  return async (run: (test: AnyTestService) => Promise<void>): Promise<void> => {
    testsLeft -= 1;
    const test = openedService ?? (await open());
    openedService = undefined;
    let passed = false;
    try {
      test.advanceClock(betweenMs);
      await run(test);
      passed = true;
    } finally {
      if (passed && testsLeft > 0) openedService = test;
      else await test.close();
    }
  };
}

/**
 * Registers the tests of every operation of the plugin `pluginId`. `open` opens the service of one operation. Its tests share the
 * service, one after the other, and the last test closes it.
 */
export function operationSuite(
  pluginId: string,
  open: Open,
  operations: readonly Operation[],
  register: Register,
): void {
  const declared = sharedService(open, 2);
  register(`${pluginId}: examples of events match their schemas, and schedules purge as declared`, () =>
    declared((test) => checkDeclarations(pluginId, test)),
  );
  register(`${pluginId}: erasing one person of a row leaves the data of the others unchanged`, () =>
    declared((test) => checkSharedRows(pluginId, test)),
  );
  for (const operation of operations) {
    const checks = checksOf(operation);
    const onService = sharedService(open, checks.length);
    for (const { name, run } of checks)
      register(`${pluginId}: ${operation.id} ${name}`, () =>
        onService(async (test) => {
          const kit = createFixtureKit(test);
          await run({ test, operation, kit, fixture: await operation.fixture(kit) });
        }),
      );
  }
}
