// The port of an external job queue. Jobs are always stored in the database; a queue only carries references to them. So it
// may lose, repeat or reorder messages, and still no job is lost or run twice. Adapters are in adapters/queue/.
// core/jobs/relay.ts sends references to them, and core/jobs/receiver.ts runs the jobs of the references that they receive.
import { type Lane, lanes } from '../declaration/jobs.ts';

export { type Lane, lanes } from '../declaration/jobs.ts';

/** The content of a message about a job. Payloads never leave the database. */
export interface JobReference {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly lane: Lane;
  /** When the job is due, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** Options of a consumer. */
export interface ConsumeOptions {
  /**
   * Returns the largest number of references of a lane that the handler may process at the same time. The number depends on
   * how long the jobs take, so call it before each fetch. Do not fetch more: if this process dies, the jobs that it received but
   * did not begin wait for a minute.
   */
  readonly prefetch: (lane: Lane) => number;
  /** Returns the largest number that `prefetch` can return. For a queue whose prefetch is set only once. */
  readonly maxPrefetch: (lane: Lane) => number;
  /** Called for every error while receiving. The consumer goes on by itself. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs the job of a reference. Resolves when the reference needs no further delivery. Rejects if the queue must deliver it again.
 */
export type ReferenceHandler = (reference: JobReference) => Promise<void>;

/** A running consumer. */
export interface QueueConsumer {
  /** Stops receiving. Resolves when every handler has ended and every message is acknowledged. */
  stop(): Promise<void>;
}

/**
 * An external queue. Each lane has its own queue if the product allows it, so that urgent references never wait behind
 * bulk references. Delivery is at least once.
 */
export interface JobQueue {
  /** The name of the product: `sqs`. */
  readonly id: string;
  /**
   * The longest delay of a message, in milliseconds; 0 if the queue has no delays. Jobs due later stay in the database until
   * then.
   */
  readonly maxDelayMs: number;
  /**
   * Sends references. The queue delays each by its `delayMs`. Returns the references that were not sent. Rejects if no
   * reference was sent.
   */
  send(messages: readonly OutgoingReference[]): Promise<readonly RefusedReference[]>;
  /**
   * Receives until the consumer is stopped. If the queue calls your function, such as SQS on Lambda, use
   * `service.runMessages` instead.
   */
  consume(handler: ReferenceHandler, options: ConsumeOptions): Promise<QueueConsumer>;
  /** Checks that the queue can be reached. @throws the reason if it cannot be reached */
  check(): Promise<void>;
  /** Closes connections that the adapter opened. */
  close(): Promise<void>;
}

/** A reference to be sent. */
export interface OutgoingReference extends JobReference {
  /** Milliseconds; 0 to `maxDelayMs`. */
  readonly delayMs: number;
}

/** A reference that was not sent. */
export interface RefusedReference {
  readonly jobId: string;
  /** The reason, as the queue's code and text, without secrets. Only the first reason of each round is logged. */
  readonly reason: string;
}

/** The text of an error that a client threw, for `RefusedReference.reason`. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);

/** A message as a queue delivered it: its own id, and the text that the adapter sent. */
export interface QueueMessage {
  readonly id: string;
  readonly body: string;
}

/** The text of a message. */
export function encodeReference({ jobId, workspaceId, lane, dueAt }: JobReference): string {
  return JSON.stringify({ v: 1, job_id: jobId, workspace_id: workspaceId, lane, due_at: dueAt });
}

/** Thrown for a message that is not a reference to a job. */
export class MessageInvalid extends Error {
  constructor() {
    super('The message is not a reference to a job: another program writes to this queue.');
    this.name = 'MessageInvalid';
  }
}

/** Reads a message. @throws MessageInvalid */
export function decodeReference(body: string): JobReference {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new MessageInvalid();
  }
  if (typeof value !== 'object' || value === null) throw new MessageInvalid();
  const { job_id: jobId, workspace_id: workspaceId, lane, due_at: dueAt } = value as Readonly<Record<string, unknown>>;
  const knownLane = lanes.find((name) => name === lane);
  if (
    typeof jobId !== 'string' ||
    typeof workspaceId !== 'string' ||
    typeof dueAt !== 'number' ||
    knownLane === undefined
  )
    throw new MessageInvalid();
  return { jobId, workspaceId, lane: knownLane, dueAt };
}

/** The limits of `service.relayPending`. */
export interface RelayOptions {
  /** No send begins later than this many milliseconds after the call. (Default: no limit) */
  readonly budgetMs?: number;
}

/** The result of `service.relayPending`. */
export interface RelayReport {
  /** The number of references that the queue accepted. */
  readonly sent: number;
  /** Whether jobs are left that could be sent, because the time budget was reached or the queue refused references. */
  readonly hasMore: boolean;
}

/** The limits of `service.runMessages`. */
export interface RunMessagesOptions {
  /**
   * No attempt begins later than this many milliseconds after the call. Messages that were not processed by then count as failed.
   * Claimed jobs return to the database and are sent to the queue again. (Default: no limit)
   */
  readonly budgetMs?: number;
  /** After `budgetMs`, running attempts have this many milliseconds left before their signals are aborted. (Default: 10,000) */
  readonly graceMs?: number;
  /**
   * For a FIFO queue: runs the messages one after another and stops at the first failed message. That message and all later
   * messages count as failed. (Default: false)
   */
  readonly ordered?: boolean;
}

/** The result of `service.runMessages`. */
export interface MessagesReport {
  /** The messages that the queue must deliver again, in their order. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** The methods that a queue adds to a service. For functions that are frozen after their response or that a queue calls. */
export interface QueueCalls {
  /**
   * Sends references to the queue for all jobs that are due now or within the queue's longest delay. A started process does
   * this by itself; a serverless function calls it before it responds. Does nothing if the service has no queue.
   */
  relayPending(options?: RelayOptions): Promise<RelayReport>;
  /**
   * Runs the jobs of messages that a queue delivered, such as the records of an SQS event: `{ id: messageId, body }`.
   * If an attempt fails, the service retries the job later, and the message does not count as failed. A message counts as failed
   * if its job could not be claimed, for example because the database is unreachable.
   */
  runMessages(messages: readonly QueueMessage[], options?: RunMessagesOptions): Promise<MessagesReport>;
}
