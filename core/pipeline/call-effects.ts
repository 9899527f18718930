// The effects of one transaction: events, jobs, audit and budgets are gathered and written at its end.
// Used by operations (execute.ts) and by jobs.
import type { Effects, EmitOptions } from '../contract/context.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { JobRequest } from '../contract/jobs.ts';
import { lanes } from '../contract/jobs.ts';
import type { EventMap } from '../contract/open.ts';
import type { Actor, Workspace } from '../contract/workspace.ts';
import type { OutboxRow } from '../storage/core-tables.ts';
import type { TransactionScope } from '../storage/database.ts';
import { oneSide } from '../storage/scope.ts';
import { writeAudit } from './audit.ts';
import type { Core } from './core.ts';
import { eventEnvelope } from './event-envelope.ts';
import { subjectsInterested } from './event-interests.ts';
import { patternsOf } from './event-patterns.ts';
import { writeEvent, writeWantedEvent } from './event-writes.ts';

const insertJob = defineStatement(
  (
    db,
    p: {
      workspace_id: string;
      id: string;
      kind: string;
      lane: number;
      concurrency_key: string;
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
      concurrency_key: p.concurrency_key,
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
  /** Whether the statements of events may have written jobs of their own. */
  mayDispatch: boolean;
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
  readonly scope: Pick<TransactionScope, 'handle'>;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  /** Who the audit shows. (Default: the service itself) */
  readonly actor?: Actor;
  /** (Default: one of its own) */
  readonly requestId?: string;
  readonly idempotencyKey?: string | undefined;
}

/** Effects on an open transaction. */
export function createEffects(of: EffectScope): CallEffects {
  const { core, scope, workspace, now, sandbox, actor = { kind: 'system' }, idempotencyKey } = of;
  const trx: WorkspaceHandle = scope.handle(oneSide(workspace.id, sandbox));
  const waiting: (() => void)[] = [];
  const recorded: Recorded = { events: [], jobs: [], mayDispatch: false };
  const newId = (prefix: string): string => core.ports.ids.create(prefix);
  let { requestId } = of;

  const rowOf = (type: string, source: OutboxRow['source'], data: unknown, options: EmitOptions): OutboxRow => ({
    id: options.id ?? newId('evt'),
    workspace_id: workspace.id,
    type,
    source,
    synthetic: sandbox || options.synthetic === true ? 1 : 0,
    data: JSON.stringify(data),
    subject: options.subject ?? null,
    created_at: now,
  });

  /** A job for each subscriber of this process. Answers whether there is one. */
  const notifySubscribers = ({ id, type, source, synthetic }: OutboxRow): boolean => {
    const kinds = core.eventRouter.subscribersOf(type, source);
    for (const kind of kinds) effects.enqueue({ kind, payload: { eventId: id }, sandbox: synthetic === 1 });
    return kinds.length > 0;
  };

  const write = (row: OutboxRow, consumers: readonly string[]): void => {
    const patterns = patternsOf(core.registry.events, row.type, 'service');
    writeWantedEvent(trx, row, { patterns, consumers, sure: notifySubscribers(row), newJobId: () => newId('job') });
    if (consumers.length > 0) recorded.mayDispatch = true;
    recorded.events.push(row.type);
  };

  const effects: CallEffects = {
    trx,
    workspace,
    now,
    sandbox,
    newId,
    recorded,
    emit<T extends keyof EventMap & string>(type: T, data: EventMap[T], options: EmitOptions = {}) {
      const declaration = core.registry.events.get(type);
      if (declaration === undefined) throw new Error(`The event ${type} is not declared by any composed plugin.`);
      if (core.settings.checkEvents) declaration.data.parse(data);
      const row = rowOf(type, 'service', data, options);
      const consumers = (declaration.minimumTier ?? 0) > workspace.plan.tier ? [] : core.consumerIds;
      write(row, consumers);
      return row.id;
    },
    async emitCustom(type, data, options) {
      const row = rowOf(type, 'custom', data, options);
      const fanOut: Record<string, number> = {};
      const event = eventEnvelope(row);
      const patterns = patternsOf(core.registry.events, type, 'custom');
      for (const consumer of core.registry.eventConsumers) {
        const subjects = await subjectsInterested(trx, consumer.id, patterns);
        const reached = subjects.length === 0 ? 0 : await consumer.dispatch(effects, event, subjects, core);
        fanOut[consumer.figure] = (fanOut[consumer.figure] ?? 0) + reached;
      }
      const wanted = notifySubscribers(row) || Object.values(fanOut).some((count) => count > 0);
      if (wanted) writeEvent(trx, row);
      recorded.events.push(type);
      return { id: row.id, fanOut };
    },
    enqueue(job: JobRequest) {
      const declaration = core.registry.jobs.get(job.kind);
      if (declaration === undefined) throw new Error(`The job ${job.kind} is not declared by any composed plugin.`);
      const id = newId('job');
      const runAt = job.runAt ?? now;
      const due = runAt <= now;
      trx.defer(insertJob, {
        id,
        kind: job.kind,
        lane: lanes.indexOf(job.lane ?? declaration.lane),
        concurrency_key: job.concurrencyKey ?? workspace.id,
        state: due ? 'ready' : 'waiting',
        payload: JSON.stringify(declaration.payload.parse(job.payload)),
        sandbox: sandbox || job.sandbox === true ? 1 : 0,
        run_at: runAt,
        now,
      });
      recorded.jobs.push({ id, kind: job.kind, due });
      return id;
    },
    audit(action, target, metadata = {}) {
      requestId ??= newId('req');
      writeAudit(trx, { id: newId('aud'), now, actor, action, target, requestId, metadata, idempotencyKey });
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
      if (joined) {
        if (due.length > 0) core.jobSignal.watch(due.map((job) => job.id));
      } else if (due.length > 0 || recorded.mayDispatch) core.jobSignal.wake();
    },
  };
  return effects;
}
