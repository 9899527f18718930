// `effects.as()`: the typed calls of an open transaction, with the names of service.as(workspace). The container passes
// it to the pipeline, which must not import the kernel.
import type { InnerCaller } from '../contract/context/calls.ts';
import type { Actor } from '../contract/context/workspace.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { Core } from '../pipeline/core.ts';
import { callInside } from '../pipeline/inner-call.ts';
import type { InnerCallContext } from '../pipeline/inner-call-context.ts';
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
  const cached = areas.get(core);
  if (cached !== undefined) return cached;
  const built = new Map<string, Map<string, Operation>>();
  for (const operation of core.registry.operations.values()) {
    const { area, name } = callName(operation.id);
    const group = built.get(area) ?? new Map<string, Operation>();
    built.set(area, group.set(name, operation));
  }
  areas.set(core, built);
  return built;
}

const callsOf = (operations: ReadonlyMap<string, Operation>, run: Run): object =>
  Object.fromEntries(
    [...operations].map(([name, operation]) => [
      name,
      (flat: Readonly<Record<string, unknown>> = {}, options: Options = {}) => run(operation, flat, options),
    ]),
  );

/** The object behind `as()`: the calls of an area are made at its first use. */
export function createInnerCalls(core: Core, context: InnerCallContext, { actor: client }: InnerCaller): object {
  const actor: Actor | undefined = client === undefined ? undefined : { kind: 'system', client };
  const run: Run = async (operation, flat, { idempotencyKey, trx, dryRun }) => {
    if (trx !== undefined || dryRun !== undefined)
      throw new TypeError(`${operation.id} already runs inside a transaction here: leave trx and dryRun out.`);
    return callInside(core, context, { operation, input: unflatten(operation, flat), idempotencyKey, actor });
  };
  const calls = {};
  for (const [area, operations] of areasOf(core))
    Object.defineProperty(calls, area, { enumerable: true, get: () => callsOf(operations, run) });
  return calls;
}
