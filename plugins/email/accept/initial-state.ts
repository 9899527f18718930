// The first state of a message that is being accepted, from the decision about it. Pure.
import { type Decision, type DecisionEffect, effectOf, whyNotSentOf } from '../decision/decide.ts';
import type { SendEventType } from '../events.ts';
import type { SendStatus } from '../tables.ts';

/** The first state of a message. */
export interface InitialSendState {
  readonly status: SendStatus;
  readonly event: SendEventType;
  readonly whyNotSent: string | null;
  /** The sentence on the timeline. Undefined if no reason makes the message wait or end. */
  readonly reason: string | undefined;
  /** The time at which the message should leave, in milliseconds. Null: at once, or at an unknown time. */
  readonly scheduledAt: number | null;
  /** The time at which the job of the message is due; null: at once. */
  readonly waitsUntil: number | null;
  /** Whether the message ends here and is never delivered. */
  readonly finished: boolean;
}

/** The interval at which a message that waits for an unknown time is decided on again, in milliseconds. */
const holdCheckMs = 900_000;

/** The time at which a waiting message is decided on again. */
export const nextDecisionAt = (until: number | undefined, now: number): number => until ?? now + holdCheckMs;

const ended = { suppressed: 'transactional.suppressed', expired: 'send.failed' } as const;

function endedState(
  { kind, reason }: Extract<DecisionEffect, { kind: 'suppressed' | 'expired' }>,
  scheduledAt: number | null,
) {
  return {
    status: kind === 'expired' ? 'failed' : 'suppressed',
    event: ended[kind],
    whyNotSent: whyNotSentOf(reason),
    reason: reason.message,
    scheduledAt,
    waitsUntil: null,
    finished: true,
  } as const;
}

/** @param scheduledAt the time for which the caller scheduled the message; null: at once */
export function initialStateOf(decision: Decision, scheduledAt: number | null, now: number): InitialSendState {
  const outcome = effectOf(decision);
  switch (outcome.kind) {
    case 'waits':
      return {
        status: 'scheduled',
        event: 'send.scheduled',
        whyNotSent: whyNotSentOf(outcome.reason),
        reason: outcome.reason.message,
        scheduledAt: outcome.until ?? null,
        waitsUntil: nextDecisionAt(outcome.until ?? scheduledAt ?? undefined, now),
        finished: false,
      };
    case 'sent': {
      const begun = { whyNotSent: null, reason: undefined, scheduledAt, waitsUntil: scheduledAt, finished: false };
      return scheduledAt === null
        ? { ...begun, status: 'sent', event: 'send.queued' }
        : { ...begun, status: 'scheduled', event: 'send.scheduled' };
    }
    default:
      return endedState(outcome, scheduledAt);
  }
}
