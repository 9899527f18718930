// The second success of an operation: another status with its own response, such as the 202 of a call that waits for a
// decision. Declared as `secondSuccess` (operation.ts); the handler returns it with `respond`.
import type { z } from 'zod';

/** The result of `respond`. Only the pipeline reads it. */
export class StatusResult<Status extends number, Value> {
  readonly status: Status;
  readonly value: Value;

  constructor(status: Status, value: Value) {
    this.status = status;
    this.value = value;
  }
}

/** The type of a JSON value without the `readonly` of literal types. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

/**
 * Makes the second success: `return respond(202, { id, decision })`. If a handler returns a plain value, it is the first success.
 */
export const respond = <const Status extends number, const Value>(
  status: Status,
  value: Value,
): StatusResult<Status, Writable<Value>> => new StatusResult(status, value as Writable<Value>);

/** Texts about a second success for tools. Routes in them are replaced by the names of their tools. */
export interface SuccessNotice {
  /** Returns one or more sentences to put before the response. */
  of(response: unknown): string;
  /** For a dry run: returns what the real call would do, with its effects. The text follows `The real call would`. */
  wouldDo(response: unknown, ctx: DryRunEffects): string;
}

/** The effects of a call as parts of a sentence. */
export interface DryRunEffects {
  /** Such as `cost 2 credits`. */
  readonly cost: string;
  /** Such as `cause the event send.queued`; undefined if there are no events. */
  readonly cause: string | undefined;
}

/** The declaration of a second success. */
export interface SecondSuccess<Status extends number = number, Output extends z.ZodType = z.ZodType> {
  /** 200 to 299, different from the operation's `status`. */
  readonly status: Status;
  readonly output: Output;
  /** One sentence for the documentation about when the operation returns this success. */
  readonly description: string;
  /** The action of its audit entry. (Default: the operation's action) */
  readonly auditAction?: string;
  /** A text before the response, for readers who would take it for the first success. (Default: no text) */
  readonly notice?: SuccessNotice;
}
