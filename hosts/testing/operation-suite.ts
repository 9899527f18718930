// The generated tests of operations, made from each one's fixture: success, scopes, unknown fields, foreign ids, lists, both sides,
// declared errors, media types, spellings of addresses, dry runs, replays; and of what composing cannot see. Called by a plugin's test file with its runner's
// `test(name, fn)`.
import type { Operation } from '../../core/contract/operation.ts';
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
import type { Check } from './operation-suite/request.ts';
import { sidesCheck } from './operation-suite/sides.ts';
import type { AnyTestService } from './test-service.ts';

type Register = (name: string, run: () => Promise<void>) => void;
type Open = () => Promise<AnyTestService>;

const checksOf = (operation: Operation): readonly Check[] => [
  ...ordinaryChecks,
  foreignCheck,
  ...listChecks(operation),
  sidesCheck,
  ...(operation.errors.length > 0 ? [errorsCheck] : []),
  ...(operation.representations.size > 0 ? [representationsCheck] : []),
  ...addressChecks(operation),
  ...changeChecks(operation),
];

/** Long enough for the rate limits to be whole again. */
const betweenMs = 2_000;

/** One service for all tests of an operation, whose rows do not meet. A failed test leaves the next one a service of its own. */
function sharedService(open: Open, tests: number) {
  let left = tests;
  let opened: AnyTestService | undefined;
  return async (run: (test: AnyTestService) => Promise<void>): Promise<void> => {
    left -= 1;
    const test = opened ?? (await open());
    opened = undefined;
    let passed = false;
    try {
      test.advanceClock(betweenMs);
      await run(test);
      passed = true;
    } finally {
      if (passed && left > 0) opened = test;
      else await test.close();
    }
  };
}

/**
 * Registers the tests of every operation of the plugin `pluginId`. `open` gives the service of one operation: its tests share
 * it, one after the other, and the last one closes it.
 */
export function operationSuite(
  pluginId: string,
  open: Open,
  operations: readonly Operation[],
  register: Register,
): void {
  const declared = sharedService(open, 2);
  register(`${pluginId}: examples of events fit, and schedules purge what is declared`, () =>
    declared((test) => checkDeclarations(pluginId, test)),
  );
  register(`${pluginId}: erasing one person of a row leaves the others whole`, () =>
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
