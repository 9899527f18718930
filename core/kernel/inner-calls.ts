// `effects.as()`: the typed calls of an open transaction, with the names of service.as(workspace). The container passes
// it to the pipeline, which must not import the kernel.
import type { InnerCaller } from '../contract/calls.ts';
import type { Operation } from '../contract/operation.ts';
import type { Actor } from '../contract/workspace.ts';
import type { CallPlace } from '../pipeline/call-place.ts';
import type { Core } from '../pipeline/core.ts';
import { callInside } from '../pipeline/inner-call.ts';
import { callName } from '../projections/call-name.ts';
import { unflatten } from '../projections/flat.ts';

interface Options {
  readonly idempotencyKey?: string;
  readonly trx?: unknown;
  readonly dryRun?: unknown;
}

type Run = (operation: Operation, flat: Readonly<Record<string, unknown>>, options: Options) => Promise<unknown>;

/** The calls of each service by area and name: made once, because every job uses them. */
const areas = new WeakMap<Core, ReadonlyMap<string, ReadonlyMap<string, Operation>>>();

function areasOf(core: Core): ReadonlyMap<string, ReadonlyMap<string, Operation>> {
  const known = areas.get(core);
  if (known !== undefined) return known;
  const made = new Map<string, Map<string, Operation>>();
  for (const operation of core.registry.operations.values()) {
    const { area, name } = callName(operation.id);
    const group = made.get(area) ?? new Map<string, Operation>();
    made.set(area, group.set(name, operation));
  }
  areas.set(core, made);
  return made;
}

const callsOf = (operations: ReadonlyMap<string, Operation>, run: Run): object =>
  Object.fromEntries(
    [...operations].map(([name, operation]) => [
      name,
      (flat: Readonly<Record<string, unknown>> = {}, options: Options = {}) => run(operation, flat, options),
    ]),
  );

/** The object behind `as()`: the calls of an area are made at its first use. */
export function createInnerCalls(core: Core, place: CallPlace, { actor: client }: InnerCaller): object {
  const actor: Actor | undefined = client === undefined ? undefined : { kind: 'system', client };
  const run: Run = async (operation, flat, { idempotencyKey, trx, dryRun }) => {
    if (trx !== undefined || dryRun !== undefined)
      throw new TypeError(`${operation.id} is called inside a transaction here: leave trx and dryRun out.`);
    return callInside(core, place, { operation, input: unflatten(operation, flat), idempotencyKey, actor });
  };
  const calls = {};
  for (const [area, operations] of areasOf(core))
    Object.defineProperty(calls, area, { enumerable: true, get: () => callsOf(operations, run) });
  return calls;
}
