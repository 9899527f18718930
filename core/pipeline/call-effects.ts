// Collects the effects of one transaction (events, jobs, audit entries, budgets) and writes them at its end. Used by operations
// (call-transaction.ts), by jobs, and by calls inside both (inner-call.ts).
import type { InnerCaller, InnerCalls } from '../contract/context/calls.ts';
import type { EmitOptions, TransactionContext } from '../contract/context/context.ts';
import type { WorkspaceHandle } from '../contract/context/handle.ts';
import type { Actor, Workspace } from '../contract/context/workspace.ts';
import type { EventDeclaration } from '../contract/declaration/events.ts';
import { type JobRequest, lanes } from '../contract/declaration/jobs.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { OutboxRow } from '../storage/core-tables.ts';
import type { TransactionScope } from '../storage/database.ts';
import { oneSide } from '../storage/scope.ts';
import { writeAudit } from './audit.ts';
import type { Core } from './core.ts';
import { eventEnvelope } from './event-envelope.ts';
import { hasInterest, hasInterestCached, subjectsInterested } from './event-interests.ts';
import { patternsOf } from './event-patterns.ts';
import { maxEventsPerDispatch, type NewEvent, writeDispatch, writeEvent, writeWantedEvent } from './event-writes.ts';
import type { InnerCallContext, InnerCallResult, RecordedEffects } from './inner-call-context.ts';
import { jobSubject } from './job-subject.ts';
import { insertJob, type NewJob } from './job-writes.ts';
import { createKeyedJobs } from './keyed-jobs.ts';
import type { LeashedCall } from './leash.ts';
import { createMetering, giveBackParts, totalsOf } from './metering.ts';
import { urgencyOf } from './notify-due-jobs.ts';
import { eventDataInvalid, undeclared, undeclaredBy } from './undeclared.ts';

/** A TransactionContext that also gives access to its recorded effects and to the work after the commit. */
export interface CallEffects extends TransactionContext {
  readonly recorded: RecordedEffects;
  /** The effects that a surrounding transaction takes over. */
  result(): InnerCallResult;
  /** Call after the commit of this transaction, or when a joined call's savepoint is released. */
  committed(joined: boolean): void;
}

/** The transaction, the workspace and the actor of the effects. */
export interface EffectScope {
  readonly core: Core;
  readonly scope: TransactionScope;
  readonly workspace: Workspace;
  readonly now: number;
  readonly sandbox: boolean;
  /** The actor that the audit shows. (Default: the service itself) */
  readonly actor?: Actor;
  /** (Default: a new id) */
  readonly requestId?: string;
  readonly idempotencyKey?: string | undefined;
  /** The actor of calls inside this transaction. (Default: `actor`) */
  readonly innerActor?: Actor;
  /** Scopes of the caller. (Default: all) */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** If true, everything is rolled back at the end, so new ids are placeholders. (Default: false) */
  readonly dryRun?: boolean;
  /** The operation whose handler causes these effects, and the events that it declares. (Default: any event is allowed) */
  readonly operation?: Pick<Operation, 'id' | 'emits'>;
  /** The surrounding transaction of an inner call. */
  readonly inner?: InnerCallContext | undefined;
  /** The call that causes these effects, if its key has a leash. (Default: no leash) */
  readonly leashed?: LeashedCall | undefined;
}

/**
 * Turns an id into the placeholder of a dry run. It has the form of an id, but `DRY` follows the prefix. Real ids begin with
 * the time there, and so with 0 to 7: no row has a placeholder, and no look-up finds one.
 */
const placeholderOf = (id: string): string => id.replace(/_...(?=[^_]*$)/, '_DRY');

/** TransactionContext on an open transaction. */
export function createEffects(effectScope: EffectScope): CallEffects {
  const {
    core,
    scope,
    workspace,
    now,
    sandbox,
    actor = { kind: 'system' },
    idempotencyKey,
    dryRun = false,
  } = effectScope;
  const trx: WorkspaceHandle = scope.handle(oneSide(workspace.id, sandbox));
  const afterCommitWork: (() => void)[] = [];
  const recorded: RecordedEffects = { events: [], jobs: [], mayDispatch: false, credits: 0 };
  const newId = (prefix: string): string => {
    const id = core.ports.ids.create(prefix);
    return dryRun ? placeholderOf(id) : id;
  };
  const totals = effectScope.inner?.totals ?? totalsOf(scope, workspace.id);
  const afterCommit = (work: () => void): void => void afterCommitWork.push(work);
  const metering = createMetering({
    core,
    scope,
    trx,
    workspace,
    now,
    sandbox,
    totals,
    recorded,
    leashed: effectScope.leashed,
    newId,
    afterCommit,
    enqueue: (job) => ctx.enqueue(job),
  });
  const keyedJobs = createKeyedJobs(scope, trx, recorded);
  /** Whether an event consumer is running. The operation need not declare the events that the consumer emits. */
  let isDispatching = false;
  let { requestId } = effectScope;
  let lastCall: Promise<unknown> = Promise.resolve();
  const requestIdOf = (): string => {
    requestId ??= newId('req');
    return requestId;
  };

  /** For calls inside this transaction. */
  const innerCallContext = (): InnerCallContext => ({
    scope,
    workspace,
    now,
    sandbox,
    dryRun,
    actor: effectScope.innerActor ?? actor,
    scopes: effectScope.scopes,
    leashed: effectScope.leashed,
    totals,
    requestId: requestIdOf,
    absorb(innerResult) {
      recorded.events.push(...innerResult.recorded.events);
      recorded.jobs.push(...innerResult.recorded.jobs);
      recorded.mayDispatch ||= innerResult.recorded.mayDispatch;
      recorded.credits += innerResult.recorded.credits;
      afterCommitWork.push(...innerResult.afterCommit);
    },
    inTurn(work) {
      let partsBefore = 0;
      const turn = lastCall.then(() => {
        partsBefore = totals.parts.length;
        return work();
      });
      lastCall = turn.catch(() => giveBackParts(totals, partsBefore));
      return turn;
    },
  });

  const rowOf = (type: string, source: OutboxRow['source'], data: unknown, options: EmitOptions): NewEvent => ({
    id: options.id ?? newId('evt'),
    workspace_id: workspace.id,
    type,
    source,
    synthetic: sandbox || options.synthetic === true ? 1 : 0,
    data: JSON.stringify(data),
    subject: options.subject ?? null,
    created_at: now,
  });

  /** Enqueues a job for each subscriber of this process. Returns whether there is a subscriber. */
  const notifySubscribers = ({ id, type, source, synthetic, subject }: NewEvent): boolean => {
    const kinds = core.eventRouter.subscribersOf(type, source);
    const about = subject === null ? {} : { subject };
    for (const kind of kinds) ctx.enqueue({ kind, payload: { eventId: id }, sandbox: synthetic === 1, ...about });
    return kinds.length > 0;
  };

  const write = (row: NewEvent, consumers: readonly string[]): void => {
    // A live call's event about something synthetic, such as a test send, goes to the sandbox side.
    const side = row.synthetic === 1 && !sandbox ? trx.onSide(true) : trx;
    const patterns = patternsOf(core.registry.events, row.type, 'service');
    const traceparent = core.telemetry.active();
    const mustStore = notifySubscribers(row);
    writeWantedEvent(side, row, { patterns, consumers, always: mustStore, traceparent, newJobId: () => newId('job') });
    if (consumers.length > 0) recorded.mayDispatch = true;
    recorded.events.push(row.type);
  };

  /**
   * The declaration of an event.
   * @throws Error if no plugin declares it or, outside production, if the data or the operation's `emits` do not match
   */
  const declarationOf = (type: string, data: unknown): EventDeclaration => {
    const declaration = core.registry.events.get(type);
    if (declaration === undefined) throw undeclared('event', type, core.registry.events.keys());
    if (!core.settings.checkEvents) return declaration;
    const { error } = declaration.data.safeParse(data);
    if (error !== undefined) throw eventDataInvalid(type, error);
    if (!isDispatching && effectScope.operation?.emits.includes(type) === false)
      throw undeclaredBy(effectScope.operation.id, type);
    return declaration;
  };

  /**
   * Writes an event of the catalogue. If the workspace's plan includes the event, also writes a job for each of these consumers.
   */
  const emit = (type: string, data: unknown, options: EmitOptions, consumers: readonly string[]): string => {
    const declaration = declarationOf(type, data);
    const row = rowOf(type, 'service', data, options);
    write(row, isInPlan(declaration) ? consumers : []);
    return row.id;
  };
  const isInPlan = ({ minimumTier = 0 }: EventDeclaration): boolean => minimumTier <= workspace.plan.tier;

  /** Whether a subscriber of this process or a consumer receives events of the type. */
  const hasReceiverOn = async (side: WorkspaceHandle, type: string): Promise<boolean> =>
    core.eventRouter.subscribersOf(type, 'service').length > 0 ||
    hasInterestCached(scope, side, patternsOf(core.registry.events, type, 'service'));

  /** Writes events of one type, with their jobs. A joint consumer gets one job per 100 events. */
  const emitMany = (type: string, items: readonly (EmitOptions & { readonly data: unknown })[]): void => {
    const [first] = items;
    if (first === undefined) return;
    const isJoint = items.length > 1 && items.every(({ synthetic }) => synthetic !== true);
    const joint = isJoint ? core.jointConsumerIds : [];
    const separateConsumers = isJoint ? core.consumerIds.filter((id) => !joint.includes(id)) : core.consumerIds;
    const eventIds = items.map(({ data, ...options }) => emit(type, data, options, separateConsumers));
    if (joint.length === 0 || !isInPlan(declarationOf(type, first.data))) return;
    const patterns = patternsOf(core.registry.events, type, 'service');
    const about = { patterns, subject: null, traceparent: core.telemetry.active(), now, newJobId: () => newId('job') };
    for (let from = 0; from < eventIds.length; from += maxEventsPerDispatch)
      writeDispatch(trx, { ...about, consumers: joint, eventIds: eventIds.slice(from, from + maxEventsPerDispatch) });
    recorded.mayDispatch = true;
  };

  const ctx: CallEffects = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    trx,
    workspace,
    now,
    sandbox,
    newId,
    recorded,
    emit: (type, data, options = {}) => emit(type, data, options, core.consumerIds),
    async emitIfSubscribed(type, data, options = {}) {
      const side = options.synthetic === true && !sandbox ? trx.onSide(true) : trx;
      if (!core.settings.checkEvents && !(await hasReceiverOn(side, type))) recorded.events.push(type);
      else emit(type, await data(), options, core.consumerIds);
    },
    async emitEach(type, items) {
      const patterns = patternsOf(core.registry.events, type, 'service');
      const hasSubscribers = core.eventRouter.subscribersOf(type, 'service').length > 0;
      const side = !sandbox && items.some(({ synthetic }) => synthetic === true) ? trx.onSide(true) : trx;
      if (!hasSubscribers && !(await hasInterest(side, patterns))) {
        for (const { data } of items) declarationOf(type, data);
        if (items.length > 0) recorded.events.push(type);
        return;
      }
      emitMany(type, items);
    },
    async emitCustom(type, data, options) {
      const row = rowOf(type, 'custom', data, options);
      const fanOut: Record<string, number> = {};
      const event = eventEnvelope(row);
      const patterns = patternsOf(core.registry.events, type, 'custom');
      for (const consumer of core.registry.eventConsumers) {
        const subjects = await subjectsInterested(trx, consumer.id, patterns);
        isDispatching = true;
        const deliveries = subjects.length === 0 ? 0 : await consumer.dispatch(ctx, event, subjects);
        isDispatching = false;
        fanOut[consumer.countName] = (fanOut[consumer.countName] ?? 0) + deliveries;
      }
      const mustWrite = notifySubscribers(row) || Object.values(fanOut).some((count) => count > 0);
      if (mustWrite) writeEvent(trx, row);
      recorded.events.push(type);
      return { id: row.id, fanOut };
    },
    enqueue(job: JobRequest) {
      const declaration = core.registry.jobs.get(job.kind);
      if (declaration === undefined) throw undeclared('job', job.kind, core.registry.jobs.keys());
      const id = newId('job');
      const runAt = job.runAt ?? now;
      const due = runAt <= now;
      const row: Omit<NewJob, 'workspace_id'> = {
        id,
        kind: job.kind,
        lane: lanes.indexOf(job.lane ?? declaration.lane),
        concurrency_key: job.concurrencyKey ?? workspace.id,
        state: due ? 'ready' : 'waiting',
        payload: JSON.stringify(declaration.payload.parse(job.payload)),
        sandbox: sandbox || job.sandbox === true ? 1 : 0,
        subject: job.subject === undefined ? null : jobSubject(workspace.id, job.subject),
        run_at: runAt,
        created_at: now,
        traceparent: core.telemetry.active(),
      };
      if (job.key === undefined) trx.defer(insertJob, row);
      else keyedJobs.put(job.key, row);
      recorded.jobs.push({ id, kind: job.kind, lane: row.lane, due });
      return id;
    },
    cancelJob: (name) => keyedJobs.cancel(typeof name === 'string' ? { key: name } : name, sandbox),
    charge: metering.charge,
    spend: metering.spend,
    hold: metering.hold,
    settle: metering.settle,
    release: metering.release,
    as: (caller: InnerCaller = {}) => core.innerCalls(innerCallContext(), caller) as InnerCalls,
    audit(action, target, metadata = {}) {
      const requestId = requestIdOf();
      writeAudit(trx, { id: newId('aud'), now, actor, action, target, requestId, metadata, idempotencyKey });
    },
    afterCommit,
    contentChanged: async (kind, targetIds) => core.registry.callHolder?.contentChanged(ctx, kind, targetIds),
    result: () => ({ recorded, afterCommit: afterCommitWork }),
    committed(joined) {
      for (const work of afterCommitWork) {
        try {
          work();
        } catch (cause) {
          // The transaction is committed: a later error must not make the call fail.
          core.log.error({ cause: String(cause) }, 'work after a commit failed');
        }
      }
      const due = recorded.jobs.filter((job) => job.due);
      if (joined) {
        if (due.length > 0)
          core.jobSignal.watch(
            due.map((job) => job.id),
            urgencyOf(due),
          );
      } else if (due.length > 0) core.jobSignal.wake(urgencyOf(due));
      else if (recorded.mayDispatch) core.jobSignal.wake('perhaps');
    },
  };
  return ctx;
}
