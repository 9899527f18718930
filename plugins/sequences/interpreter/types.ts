// The input and output of the interpreter: plain JSON values, no clock, no I/O. The engine stores them and performs the actions.
// The simulator does the same with a simulated clock. Times are milliseconds since 1970.
import type { Definition, NodeKind } from '../definition/schema.ts';

/** A run between two steps. The engine stores it as it is. */
export interface RunState {
  readonly nodeId: string;
  /** `ready`: the step at the node has not begun. `waiting`: the node's delay or wait is running. */
  readonly phase: 'ready' | 'waiting';
  /** When the step is meant to happen. Delays count from this time, even if the worker is late. */
  readonly plannedAt: number;
  /** When to call `step` next; null while only an event can move the run. */
  readonly dueAt: number | null;
  /** Failed attempts of the action at this node. */
  readonly attempt: number;
  /** Nodes that the run has left so far. */
  readonly steps: number;
  /** The event that started or last moved the run. */
  readonly event: RunEvent | null;
}

/** An event as filters and texts see it. */
export interface RunEvent {
  readonly id: string | null;
  readonly type: string;
  readonly at: number;
  /** Metadata of a custom event; null for other events. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** `data` of an event of the service; null for custom events. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** A contact as filters and texts see it. */
export interface RunContact {
  readonly id: string | null;
  readonly external_id: string | null;
  readonly email: string | null;
  readonly subscribed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Everything that a decision depends on besides the definition and the state. Read when the step is made. */
export interface RunContext {
  readonly now: number;
  /** Null in a simulation without a run. */
  readonly runId: string | null;
  /** Input of the split: a contact always gets the same share within a sequence. */
  readonly sequenceId: string;
  readonly contact: RunContact;
  /** Whether the contact is a confirmed member. Only called for the lists that the definition's filters name (`lists`). */
  isMember(listId: string): boolean;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An action of a node. The engine performs it in the transaction of the step. Its strings are already rendered. */
export type Action =
  | {
      readonly kind: 'send_email';
      readonly templateKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
      /** Undefined: the template's own language. */
      readonly locale: string | undefined;
      readonly from: { readonly email: string; readonly name?: string | undefined } | undefined;
      readonly replyTo: string | undefined;
      readonly tags: readonly string[];
    }
  | {
      readonly kind: 'send_sms';
      readonly templateKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
      /** Undefined: the contact has no number, and the step is skipped. */
      readonly to: string | undefined;
      /** Undefined: the latest consent of the number. */
      readonly consentProofId: string | undefined;
    }
  | {
      readonly kind: 'social_event';
      readonly eventKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
      readonly outcome: 'draft' | 'publish';
    }
  | { readonly kind: 'webhook'; readonly webhookId: string }
  | { readonly kind: 'update_contact'; readonly attributes: Readonly<Record<string, unknown>> }
  | { readonly kind: 'add_to_list' | 'remove_from_list'; readonly listId: string }
  | {
      readonly kind: 'enroll';
      readonly sequenceKey: string;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** The result of an action. */
export type Outcome =
  | { readonly kind: 'done'; readonly output?: Readonly<Record<string, unknown>> }
  /** The action is not possible for this contact: suppressed, capped, no consent, no address. The run continues. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly output?: Readonly<Record<string, unknown>> }
  /** Retried after `retryDelays` unless `final` is true. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly final: boolean;
      readonly output?: Readonly<Record<string, unknown>>;
    }
  /** The action may succeed later, such as after an exhausted budget. It is tried again at `until`, under the overdue policy. */
  | { readonly kind: 'later'; readonly until: number; readonly reason: string };

export type StepStatus = 'pending' | 'waiting' | 'running' | 'completed' | 'skipped' | 'failed';

/** An entry of the run's history. */
export interface StepRecord {
  readonly nodeId: string;
  readonly kind: NodeKind;
  readonly status: StepStatus;
  /** When the step happened or began to wait. */
  readonly at: number;
  /** When a waiting step continues. Null if it waits only for an event, or is over. */
  readonly dueAt: number | null;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
}

/** How a run ended. */
export interface Ending {
  readonly status: 'completed' | 'exited' | 'failed';
  /** `goal`, `exit_when`, `step_limit`, the reason of an exit node or of a failed step; null after the last node. */
  readonly reason: string | null;
}

/**
 * What happens next.
 * `act`: perform the action and pass its outcome to `finish`, which returns one of the other kinds.
 * `wait`: store the state. `step.status` is `waiting`, or `pending` if an action was postponed.
 * `move`: store the state, which is at the next node. Call `step` again when it is due, which may be now.
 * `end`: the run is over. `step` is null if the run ended before the node began.
 */
export type Decision =
  | { readonly kind: 'act'; readonly nodeId: string; readonly action: Action }
  | { readonly kind: 'wait'; readonly step: StepRecord; readonly state: RunState }
  | { readonly kind: 'move'; readonly step: StepRecord; readonly edge: string; readonly state: RunState }
  | { readonly kind: 'end'; readonly step: StepRecord | null; readonly ending: Ending };

/** A decision that does not need an action. */
export type Settled = Exclude<Decision, { kind: 'act' }>;

/** An event type that would move a run. Stored as a row of the waits. */
export interface Listening {
  readonly nodeId: string;
  readonly type: string;
}

/** A text in the project's template language. `services.templates.text({ body })` returns a compatible value. */
export interface TextOfSource {
  /** @throws if the text cannot be rendered with these values */
  render(resource: string, values: Readonly<Record<string, unknown>>, now: number): string;
}

/** Parses a text once. @throws if the text cannot be parsed */
export type ParseText = (body: string) => TextOfSource;

/** A definition prepared for steps. `createInterpreter` makes it once per version, and it is kept in memory. */
export interface Interpreter {
  readonly definition: Definition;
  /** The state of a new run at `at`. */
  begin(at: number, event: RunEvent | null): RunState;
  /** Decides what happens at the run's node now. Call it when `state.dueAt` is reached. */
  step(state: RunState, runContext: RunContext): Decision;
  /** Decides what follows from the outcome of an action. */
  finish(state: RunState, runContext: RunContext, outcome: Outcome): Settled;
  /** Decides what an event does to the run; undefined if it does nothing. After a move, a step follows in the same transaction. */
  wake(state: RunState, runContext: RunContext, event: RunEvent): Settled | undefined;
  /** The node whose message the run waits for. An event on the message's timeline counts even if it was written before the wait. */
  awaits(state: RunState): { readonly ofNode: string; readonly type: string } | undefined;
  /** The event types that can move the run from this state. */
  listensTo(state: RunState): readonly Listening[];
  /** Moves an active run to a node, or along an edge of its node. If that is not possible, `fault` says why. */
  transition(
    state: RunState,
    target: { readonly nodeId: string } | { readonly edge: string },
    now: number,
    reason: string | null,
  ): { readonly ok: true; readonly decision: Settled } | { readonly ok: false; readonly fault: string };
  /** Whether the trigger lets an event start a run. */
  startsWith(runContext: RunContext, event: RunEvent): boolean;
  /** Lists whose membership the filters read. */
  readonly lists: readonly string[];
}

/** Milliseconds until a failed action is retried. After the last retry, the action has failed for good. */
export const retryDelays: readonly number[] = [30_000, 120_000, 600_000, 1_800_000, 7_200_000];

/** Steps after which a run exits with `step_limit`. */
export const maxSteps = 1_000;
