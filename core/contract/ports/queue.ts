// The port of an external job queue. The database stays the place where jobs are kept: a queue only carries references
// to them, so it may lose, repeat or reorder messages without a job being lost or run twice. Adapters are in
// adapters/queue/; they are fed by core/jobs/relay.ts, and what they receive is run by core/jobs/receiver.ts.
import { type Lane, lanes } from '../jobs.ts';

export { type Lane, lanes } from '../jobs.ts';

/** What a message says of a job. Payloads never leave the database. */
export interface JobReference {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly lane: Lane;
  /** When the job is due, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** How a consumer receives. */
export interface ConsumeOptions {
  /**
   * The largest number of references of a lane that are at the handler at the same time. It follows how long the jobs take, so ask
   * again before each fetch: what this process holds and has not begun waits a minute when it dies.
   */
  readonly prefetch: (lane: Lane) => number;
  /** The largest answer of `prefetch`: for a queue that is told the number once. */
  readonly maxPrefetch: (lane: Lane) => number;
  /** Called when receiving fails and when it works again; the consumer goes on by itself. */
  readonly onError: (error: unknown) => void;
}

/** Runs the jobs of references; resolves for each when it needs no other delivery. Rejects where the queue shall deliver it again. */
export type ReferenceHandler = (reference: JobReference) => Promise<void>;

/** A running consumer. */
export interface QueueConsumer {
  /** Receives nothing more, and resolves when every handler has ended and every message is acknowledged. */
  stop(): Promise<void>;
}

/**
 * An external queue. Each lane has a queue of its own where the product allows it, so that urgent references never wait
 * behind bulk ones. Delivery is at least once.
 */
export interface JobQueue {
  /** The name of the product: `sqs`. */
  readonly id: string;
  /** The longest delay of a message, in milliseconds; 0 where it has none. Jobs due later stay in the database until then. */
  readonly maxDelayMs: number;
  /** Sends references. `delayMs` is how long the queue holds them back. Answers those that were not sent. Rejects when none was. */
  send(messages: readonly OutgoingReference[]): Promise<readonly RefusedReference[]>;
  /** Receives until the consumer is stopped. A queue that calls you, such as SQS on Lambda, is received with `service.runMessages` instead. */
  consume(handler: ReferenceHandler, options: ConsumeOptions): Promise<QueueConsumer>;
  /** Checks that the queue can be reached. @throws the reason why not */
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
  /** Why, as the queue's code and text: the log shows the first one of a round. Without secrets. */
  readonly reason: string;
}

/** What a client threw, for `RefusedReference.reason`. */
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

/** A message that is no reference to a job. */
export class MessageInvalid extends Error {
  constructor() {
    super('The message is no reference to a job: another program writes to this queue.');
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
  const known = lanes.find((name) => name === lane);
  if (typeof jobId !== 'string' || typeof workspaceId !== 'string' || typeof dueAt !== 'number' || known === undefined)
    throw new MessageInvalid();
  return { jobId, workspaceId, lane: known, dueAt };
}

/** The limits of `service.relayPending`. */
export interface RelayOptions {
  /** No send begins later than this many milliseconds after the call. (Default: none) */
  readonly budgetMs?: number;
}

/** The result of `service.relayPending`. */
export interface RelayReport {
  /** References that the queue took. */
  readonly sent: number;
  /** Whether jobs that could be handed on are left: the budget was reached, or the queue refused. */
  readonly left: boolean;
}

/** The limits of `service.runMessages`. */
export interface RunMessagesOptions {
  /**
   * No try begins later than this many milliseconds after the call: messages that were not looked at are failed ones,
   * and claimed jobs return to the database, from where they are handed on again. (Default: none)
   */
  readonly budgetMs?: number;
  /** Milliseconds that tries which run then still have, before their signals are aborted. (Default: 10,000) */
  readonly graceMs?: number;
  /** Runs one after another and stops at the first that fails, as a FIFO queue asks: that one and all later ones are failed. (Default: false) */
  readonly ordered?: boolean;
}

/** The result of `service.runMessages`. */
export interface MessagesReport {
  /** Messages that the queue shall deliver again, in their order. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** What a queue adds to a service: for functions that are frozen after their answer, and queues that call them. */
export interface QueueCalls {
  /**
   * Hands the jobs that are due, and those due within the queue's longest delay, on to the queue. A started process
   * does it by itself; a serverless function calls it before it answers. Without a queue it does nothing.
   */
  relayPending(options?: RelayOptions): Promise<RelayReport>;
  /**
   * Runs the jobs of messages that a queue delivered, such as the records of an SQS event: `{ id: messageId, body }`.
   * A failed try is none of the queue's business: the job is tried again later by itself. Failed are messages whose job
   * could not even be claimed, as when the database is away.
   */
  runMessages(messages: readonly QueueMessage[], options?: RunMessagesOptions): Promise<MessagesReport>;
}
