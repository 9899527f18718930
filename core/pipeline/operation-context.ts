// The context that a handler is given, made of the call's facts and the transaction's effects. Called by execute.ts.
import type { OperationContext } from '../contract/context.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import type { Actor, Workspace } from '../contract/workspace.ts';
import { insertBudget, nextPeriodAt, periodOf } from './budgets.ts';
import type { CallEffects } from './call-effects.ts';
import type { Core } from './core.ts';
import { chargeCredits, holdCredits } from './credits.ts';
import type { Holdings } from './reservations.ts';
import { validationFailed } from './validate.ts';

/** What is known of a call before its handler runs. */
export interface CallFacts {
  readonly workspace: Workspace;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<string> | undefined;
  readonly sandbox: boolean;
  readonly requestId: string;
  readonly now: number;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
}

/** The context, and what the handler left in it. */
export interface BuiltContext {
  readonly value: OperationContext;
  notes(): Readonly<Record<string, string | number | boolean>>;
  charged(): number;
}

type Shared = Omit<OperationContext, keyof CallEffects | 'charge' | 'spend' | 'note'>;

function sharedContext(core: Core, facts: CallFacts): Shared {
  return {
    services: core.services,
    ports: core.ports,
    log: core.log,
    actor: facts.actor,
    requestId: facts.requestId,
    dryRun: facts.dryRun,
    idempotencyKey: facts.idempotencyKey,
    signal: facts.signal,
    holds: (scope) => facts.scopes === undefined || facts.scopes.has(scope),
    refuse(details) {
      if (details.length > 0) throw validationFailed(details);
    },
  };
}

/** For operations that change something. */
export function createOperationContext(
  core: Core,
  facts: CallFacts,
  effects: CallEffects,
  holdings: Holdings,
): BuiltContext {
  const { workspace, now, sandbox } = facts;
  const metadata: Record<string, string | number | boolean> = {};
  let credits = 0;
  return {
    notes: () => metadata,
    charged: () => credits,
    value: {
      ...sharedContext(core, facts),
      ...effects,
      async charge(price, reason) {
        if (sandbox) return;
        const charge = { price, reason, now, newId: () => effects.newId('crd') };
        const { adapter } = await core.database();
        if (!adapter.capabilities.sharedCommits)
          holdings.add(await holdCredits(core.charges, effects.trx, workspace, charge));
        await chargeCredits(effects.trx, workspace, charge);
        credits += price;
      },
      async spend(budget, amount, limit) {
        if (sandbox) return { exceeded: false };
        const { sharedCommits } = (await core.database()).adapter.capabilities;
        const release = await core.budgets.take(effects.trx, budget, amount, limit, now, sharedCommits);
        if (release === undefined) return { exceeded: true, renewsAt: nextPeriodAt(now) };
        holdings.add(release);
        effects.trx.later(insertBudget, { id: effects.newId('bud'), budget, period: periodOf(now), amount });
        effects.afterCommit(() => core.budgets.add(workspace.id, budget, now, amount));
        return { exceeded: false };
      },
      note(facts) {
        Object.assign(metadata, facts);
      },
    },
  };
}

const readOnly = (): never => {
  throw new Error('This operation is declared a read: it cannot write, emit, enqueue or charge.');
};

/** For reads: everything that would write is refused. */
export function createReadContext(core: Core, facts: CallFacts, handle: WorkspaceHandle): OperationContext {
  return {
    ...sharedContext(core, facts),
    trx: handle,
    workspace: facts.workspace,
    now: facts.now,
    sandbox: facts.sandbox,
    newId: readOnly,
    emit: readOnly,
    enqueue: readOnly,
    afterCommit: readOnly,
    charge: readOnly,
    spend: readOnly,
    note: readOnly,
  };
}
