// The effects of one transaction: events, jobs, audit and budgets are gathered and written at its end.
// Used by operations (execute.ts) and by jobs.
import type { Effects } from '../contract/context.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { JobRequest } from '../contract/jobs.ts';
import { lanes } from '../contract/jobs.ts';
import type { EventMap } from '../contract/open.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { OutboxRow } from '../storage/core-tables.ts';
import type { TransactionScope } from '../storage/database.ts';
import type { Core } from './core.ts';

const insertEvent = defineStatement(
  (
    db,
    p: {
      workspace_id: string;
      id: string;
      type: string;
      source: OutboxRow['source'];
      synthetic: number;
      data: string;
      now: number;
    },
  ) =>
    db.insertInto('outbox').values({
      id: p.id,
      workspace_id: p.workspace_id,
      type: p.type,
      source: p.source,
      synthetic: p.synthetic,
      data: p.data,
      created_at: p.now,
    }),
);

const insertJob = defineStatement(
  (
    db,
    p: {
      workspace_id: string;
      id: string;
      kind: string;
      lane: number;
      state: 'ready' | 'waiting';
      payload: string;
      sandbox: number;
      run_at: number;
      now: number;
    },
  ) =>
    db.insertInto('jobs').values({
      id: p.id,
      workspace_id: p.workspace_id,
      kind: p.kind,
      lane: p.lane,
      state: p.state,
      payload: p.payload,
      sandbox: p.sandbox,
      attempt: 0,
      crashes: 0,
      run_at: p.run_at,
      created_at: p.now,
      lease_token: null,
      lease_until: null,
      finished_at: null,
      reason: null,
    }),
);

/** What a transaction did beside its rows. */
export interface Recorded {
  readonly events: string[];
  readonly jobs: { readonly id: string; readonly kind: string; readonly due: boolean }[];
}

/** Effects that know what they recorded and run what waited for the commit. */
export interface CallEffects extends Effects {
  readonly recorded: Recorded;
  /** Call after our own commit, or when a joined call's savepoint is released. */
  committed(joined: boolean): void;
}

/** Where and for whom the effects happen. */
export interface EffectScope {
  readonly core: Core;
  readonly scope: TransactionScope;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
}

/** Effects on an open transaction. */
export function createEffects({ core, scope, workspace, now, sandbox }: EffectScope): CallEffects {
  const trx: WorkspaceHandle = scope.handle(workspace.id);
  const waiting: (() => void)[] = [];
  const recorded: Recorded = { events: [], jobs: [] };
  const newId = (prefix: string): string => core.ports.ids.create(prefix);

  return {
    trx,
    workspace,
    now,
    sandbox,
    newId,
    recorded,
    emit<T extends keyof EventMap & string>(type: T, data: EventMap[T], options?: { readonly synthetic?: boolean }) {
      const declaration = core.registry.events.get(type);
      if (declaration === undefined) throw new Error(`The event ${type} is not declared by any composed plugin.`);
      if (core.settings.checkEvents) declaration.data.parse(data);
      const id = newId('evt');
      trx.later(insertEvent, {
        id,
        type,
        source: 'service',
        synthetic: sandbox || options?.synthetic === true ? 1 : 0,
        data: JSON.stringify(data),
        now,
      });
      recorded.events.push(type);
      return id;
    },
    enqueue(job: JobRequest) {
      const declaration = core.registry.jobs.get(job.kind);
      if (declaration === undefined) throw new Error(`The job ${job.kind} is not declared by any composed plugin.`);
      const id = newId('job');
      const runAt = job.runAt ?? now;
      const due = runAt <= now;
      trx.later(insertJob, {
        id,
        kind: job.kind,
        lane: lanes.indexOf(job.lane ?? declaration.lane),
        state: due ? 'ready' : 'waiting',
        payload: JSON.stringify(declaration.payload.parse(job.payload)),
        sandbox: sandbox || job.sandbox === true ? 1 : 0,
        run_at: runAt,
        now,
      });
      recorded.jobs.push({ id, kind: job.kind, due });
      return id;
    },
    afterCommit(work) {
      waiting.push(work);
    },
    committed(joined) {
      for (const work of waiting) {
        try {
          work();
        } catch (cause) {
          // The commit stands: nothing that comes after it may turn the call into a failure.
          core.log.error({ cause: String(cause) }, 'work after a commit failed');
        }
      }
      const due = recorded.jobs.filter((job) => job.due);
      if (due.length === 0) return;
      if (joined) core.jobSignal.watch(due.map((job) => job.id));
      else core.jobSignal.wake();
    },
  };
}
