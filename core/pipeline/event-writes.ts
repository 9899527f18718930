// Writes an event in the transaction of the change it reports. Unless the process has a subscriber for the event, the row and
// the consumer's job are inserted only if an interest matches. The statements check the interests in the database, so that no
// subscription is missed and an event without interests costs two seeks. Called by call-effects.ts.
import type { TransactionContext } from '../contract/context/context.ts';
import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import { lanes } from '../contract/declaration/jobs.ts';
import type { OutboxRow } from '../storage/core-tables.ts';
import { jobSubject } from './job-subject.ts';

/**
 * The patterns that an event type matches: the type, its one or two families, and `*`. Types of the catalogue have two or three
 * parts.
 */
interface Patterns {
  readonly first: string;
  readonly second: string;
  readonly third: string;
  readonly fourth: string;
}

const toFourPatterns = ([first = '*', second = first, third = first, fourth = first]: readonly string[]): Patterns => ({
  first,
  second,
  third,
  fourth,
});

/** A new event. It is written to the side of the handle. */
export type NewEvent = Omit<OutboxRow, 'sandbox'>;

type EventValues = Omit<NewEvent, 'workspace_id'>;

const insert = defineStatement((db, p: EventValues) =>
  db.insertInto('outbox').values({
    id: p.id,
    type: p.type,
    source: p.source,
    synthetic: p.synthetic,
    data: p.data,
    subject: p.subject,
    created_at: p.created_at,
  }),
);

// The limit is a literal: SQLite prepares a statement again each time its limit is bound, which costs more than running it.
const insertWanted = defineStatement((db, p: EventValues & Patterns) =>
  db
    .insertInto('outbox')
    .columns(['id', 'type', 'source', 'synthetic', 'data', 'subject', 'created_at'])
    .expression(
      db
        .selectFrom('event_interests')
        .select(({ val }) => [
          val(p.id).as('id'),
          val(p.type).as('type'),
          val(p.source).as('source'),
          val(p.synthetic).as('synthetic'),
          val(p.data).as('data'),
          val(p.subject).as('about'),
          val(p.created_at).as('created_at'),
        ])
        .where('pattern', 'in', [p.first, p.second, p.third, p.fourth])
        .limit(({ lit }) => lit(1)),
    ),
);

/** The jobs of two consumers, or the job of one consumer given twice. */
interface DispatchJobs extends Patterns {
  readonly workspace_id: string;
  readonly consumer: string;
  readonly id: string;
  readonly payload: string;
  readonly otherConsumer: string;
  readonly otherId: string;
  readonly otherPayload: string;
  readonly kind: string;
  readonly lane: number;
  readonly sandbox: number;
  readonly subject: string | null;
  readonly traceparent: string | null;
  readonly now: number;
}

const insertDispatch = defineStatement((db, p: DispatchJobs) =>
  db
    .insertInto('jobs')
    .columns([
      'id',
      'workspace_id',
      'kind',
      'lane',
      'concurrency_key',
      'state',
      'payload',
      'sandbox',
      'subject',
      'attempt',
      'crashes',
      'run_at',
      'created_at',
      'traceparent',
    ])
    .expression(
      db
        .selectFrom('event_interests')
        .select(({ val, lit, case: choose }) => [
          choose().when('consumer', '=', p.consumer).then(val(p.id)).else(val(p.otherId)).end().as('id'),
          val(p.workspace_id).as('workspace'),
          val(p.kind).as('kind'),
          val(p.lane).as('lane'),
          val(p.workspace_id).as('concurrency_key'),
          val('ready').as('state'),
          choose().when('consumer', '=', p.consumer).then(val(p.payload)).else(val(p.otherPayload)).end().as('payload'),
          val(p.sandbox).as('sandbox'),
          val(p.subject).as('about'),
          lit(0).as('attempt'),
          lit(0).as('crashes'),
          val(p.now).as('run_at'),
          val(p.now).as('created_at'),
          val(p.traceparent).as('trace'),
        ])
        .where('consumer', 'in', [p.consumer, p.otherConsumer])
        .where('pattern', 'in', [p.first, p.second, p.third, p.fourth])
        .groupBy('consumer'),
    ),
);

/** The kind of the job that delivers events to one consumer. */
export const dispatchKind = 'events.dispatch';

/** Writes an event regardless of interests, on the handle's side. */
export function writeEvent(trx: WorkspaceHandle, row: NewEvent): void {
  trx.defer(insert, row);
}

/**
 * Writes an event of the catalogue on the handle's side if a consumer of that side has an interest in it, with a job for each
 * of these consumers.
 */
export function writeWantedEvent(
  trx: WorkspaceHandle,
  row: NewEvent,
  delivery: {
    readonly patterns: readonly string[];
    readonly consumers: readonly string[];
    /** Whether the event is written even without an interest. */
    readonly always: boolean;
    /** The trace that the jobs continue. */
    readonly traceparent: string | null;
    newJobId(): string;
  },
): void {
  if (delivery.always) trx.defer(insert, row);
  else trx.defer(insertWanted, { ...row, ...toFourPatterns(delivery.patterns) });
  if (delivery.consumers.length === 0) return;
  writeDispatch(trx, {
    consumers: delivery.consumers,
    patterns: delivery.patterns,
    newJobId: delivery.newJobId,
    eventIds: [row.id],
    subject: row.subject === null ? null : jobSubject(trx.workspaceId, row.subject),
    traceparent: delivery.traceparent,
    now: row.created_at,
  });
}

/** The maximum number of events that one job delivers. */
export const maxEventsPerDispatch = 100;

/** Writes jobs that deliver events of one type, on the handle's side: one for each of these consumers with an interest in them. */
export function writeDispatch(
  trx: WorkspaceHandle,
  job: {
    readonly consumers: readonly string[];
    readonly patterns: readonly string[];
    newJobId(): string;
    readonly eventIds: readonly string[];
    /** The value of the column. Null for events about several people: an erasure removes the event and leaves the job. */
    readonly subject: string | null;
    /** The trace that the job continues. */
    readonly traceparent: string | null;
    readonly now: number;
  },
): void {
  const { consumers, eventIds, subject, traceparent, now } = job;
  const patterns = toFourPatterns(job.patterns);
  const payloadOf = (consumer: string): string => JSON.stringify({ eventIds, consumer });
  for (let index = 0; index < consumers.length; index += 2) {
    const [consumer = '', otherConsumer = consumer] = consumers.slice(index, index + 2);
    const id = job.newJobId();
    const payload = payloadOf(consumer);
    const isPair = otherConsumer !== consumer;
    trx.defer(insertDispatch, {
      ...patterns,
      consumer,
      id,
      payload,
      otherConsumer,
      otherId: isPair ? job.newJobId() : id,
      otherPayload: isPair ? payloadOf(otherConsumer) : payload,
      kind: dispatchKind,
      lane: lanes.indexOf('normal'),
      sandbox: Number(trx.sandbox),
      subject,
      traceparent,
      now,
    });
  }
}

/** An event whose receivers the caller chooses. */
export interface UndispatchedEvent {
  readonly type: string;
  readonly source: OutboxRow['source'];
  readonly data: unknown;
  /** Whether it is about something of the sandbox, such as a test delivery. */
  readonly synthetic: boolean;
  /** As in `EmitOptions`. */
  readonly subject?: string;
}

/** Writes an event for the receivers that the caller chooses, and for no others, on the side of the effects. Returns its id. */
export function storeUndispatchedEvent(
  ctx: TransactionContext,
  { type, source, data, synthetic, subject }: UndispatchedEvent,
): string {
  const id = ctx.newId('evt');
  writeEvent(ctx.trx, {
    id,
    workspace_id: ctx.workspace.id,
    type,
    source,
    synthetic: synthetic ? 1 : 0,
    data: JSON.stringify(data),
    subject: subject ?? null,
    created_at: ctx.now,
  });
  return id;
}
