// The second success of an operation: another status with an answer of its own, such as the 202 of a call that waits for a
// decision. Declared as `alsoSucceeds` (operation.ts) and answered by the handler with `respond`.
import type { z } from 'zod';

/** What `respond` makes. Only the pipeline reads it. */
export class StatusAnswer<Status extends number, Value> {
  readonly status: Status;
  readonly value: Value;

  constructor(status: Status, value: Value) {
    this.status = status;
    this.value = value;
  }
}

/** The type of a JSON value without the `readonly` of literal types. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

/** Answers with the second success: `return respond(202, { id, decision })`. Without it, a handler answers the first. */
export const respond = <const Status extends number, const Value>(
  status: Status,
  value: Value,
): StatusAnswer<Status, Writable<Value>> => new StatusAnswer(status, value as Writable<Value>);

/** What a second success means. Routes in its texts become tools where a tool answers. */
export interface SuccessNotice {
  /** A sentence or more. */
  of(answer: unknown): string;
  /** What the real call of a dry run would do, after `The real call would`, with its effects. */
  wouldDo(answer: unknown, effects: DryRunEffects): string;
}

/** The effects of a call as parts of a sentence. */
export interface DryRunEffects {
  /** `cost 2 credits` */
  readonly cost: string;
  /** `cause the event send.queued`; undefined without events. */
  readonly cause: string | undefined;
}

/** The second success as it is declared. */
export interface SecondSuccess<Status extends number = number, Output extends z.ZodType = z.ZodType> {
  /** 200 to 299, and another than the operation's `status`. */
  readonly status: Status;
  readonly output: Output;
  /** One sentence for the documentation: when the operation answers this. */
  readonly description: string;
  /** The action of its audit entry. (Default: the operation's) */
  readonly auditAction?: string;
  /** What it says before its answer to those who would take that for the first success. (Default: nothing) */
  readonly notice?: SuccessNotice;
}
