// The jobs that deliver events after their commit: one job for each consumer with an interest in the event, and one for each
// subscriber in the process. Declared with the core's own jobs; the rows are written by pipeline/event-writes.ts.
import { hash } from 'node:crypto';
import type { TransactionContext } from '../contract/context/context.ts';
import type { EventConsumer, EventEnvelope } from '../contract/declaration/events.ts';
import { defineJob, type JobContext, type JobDeclaration } from '../contract/declaration/jobs.ts';
import * as z from '../contract/schemas/zod.ts';
import { eventEnvelope, findEvent, findEvents } from '../pipeline/event-envelope.ts';
import { subjectsInterested } from '../pipeline/event-interests.ts';
import { patternsOf } from '../pipeline/event-patterns.ts';
import { dispatchKind } from '../pipeline/event-writes.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays of the Standard Webhooks table: eight attempts over 31 h 35 m 5 s. https://www.standardwebhooks.com */
export const eventRetryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
] as const;

/** Delivers events to one consumer: usually one event, or the events that one call emitted together. */
export function dispatchJob(consumers: readonly EventConsumer[]): JobDeclaration {
  const byId = new Map(consumers.map((consumer) => [consumer.id, consumer]));
  return defineJob({
    kind: dispatchKind,
    payload: z.object({ eventIds: z.array(z.string()).min(1), consumer: z.string() }),
    async handler(context, { eventIds, consumer: id }) {
      const consumer = byId.get(id);
      const delivery = await context.read(async ({ trx }) => {
        const stored = await findEvents(trx, eventIds);
        const rows = eventIds.flatMap((eventId) => stored.get(eventId) ?? []);
        const [first] = rows;
        if (first === undefined) return undefined;
        const patterns = patternsOf(context.ports.events, first.type, first.source);
        return { events: rows.map(eventEnvelope), subjects: await subjectsInterested(trx, id, patterns) };
      });
      if (consumer === undefined || delivery === undefined || delivery.subjects.length === 0) return;
      const { events, subjects } = delivery;
      const [event, ...otherEvents] = events;
      if (event === undefined) return;
      if (otherEvents.length > 0) await dispatchTogether(context, consumer, events, subjects);
      else if (consumer.batched === true)
        await context.complete((ctx) => consumer.dispatch(ctx, event, subjects), { batched: true });
      else {
        const dispatch = async (ctx: TransactionContext) => void (await consumer.dispatch(ctx, event, subjects));
        await context.complete(dispatch, { shared: true });
      }
    },
  });
}

/**
 * Delivers events that were emitted together. Each event that the consumer skips gets a job of its own. After a failed
 * attempt, every event gets its own job.
 */
function dispatchTogether(
  context: JobContext,
  consumer: EventConsumer,
  events: readonly EventEnvelope[],
  subjects: readonly string[],
): Promise<void> {
  return context.complete(async (ctx) => {
    const isFirst = context.attempt === 1;
    const skipped = (isFirst ? await consumer.dispatchEach?.(ctx, events, subjects) : undefined) ?? events;
    for (const { id } of skipped)
      ctx.enqueue({ kind: dispatchKind, payload: { eventIds: [id], consumer: consumer.id } });
  });
}

/** A kind of job has 40 characters at most, a name of an event 200. */
const maxNameLength = 37;

/** The kind of the job that calls the subscriber of this name; a long name is cut, and its hash is appended. */
export function subscriberKind(name: string): string {
  if (name.length <= maxNameLength) return `on:${name}`;
  return `on:${name.slice(0, 20)}~${hash('sha256', name, 'hex').slice(0, 16)}`;
}

/** The handler of a subscriber's job. */
export type SubscriberHandler = (context: JobContext, event: EventEnvelope) => Promise<void>;

/** Calls one subscriber with one event. */
export function subscriberJob(name: string, handler: SubscriberHandler): JobDeclaration {
  return defineJob({
    kind: subscriberKind(name),
    payload: z.object({ eventId: z.string() }),
    retryDelaysMs: eventRetryDelaysMs,
    async handler(context, { eventId }) {
      const row = await context.read(({ trx }) => findEvent(trx, eventId));
      if (row !== undefined) await handler(context, eventEnvelope(row));
    },
  });
}
