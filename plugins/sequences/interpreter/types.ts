// What the interpreter takes and answers: plain JSON values, no clock, no I/O. The engine stores them and performs the acts;
// the simulator does the same with a simulated clock. Times are milliseconds since 1970.
import type { Definition, NodeKind } from '../definition/schema.ts';

/** A run between two steps. The engine stores it as it is. */
export interface RunState {
  readonly nodeId: string;
  /** `ready`: the step at the node has not begun. `waiting`: its delay or wait runs. */
  readonly phase: 'ready' | 'waiting';
  /** When the step is meant to happen: delays count from here, however late the worker is. */
  readonly plannedAt: number;
  /** When to call `step` next; null while only an event can move the run. */
  readonly dueAt: number | null;
  /** Failed tries of the act at this node. */
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
  /** Of custom events; null of others. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** `data` of events of the service; null of custom ones. */
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

/** All that a decision depends on beside the definition and the state. Read when the step is made. */
export interface RunContext {
  readonly now: number;
  /** Null in a simulation that has no run. */
  readonly runId: string | null;
  /** Keeps the shares of a split stable a contact. */
  readonly sequenceId: string;
  readonly contact: RunContact;
  /** Whether the contact is a confirmed member. Asked for the lists that the definition's filters name (`listsOf`). */
  isMember(listId: string): boolean;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a node does to the world. Performed by the engine in the transaction of the step; strings are rendered. */
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

/** What came of an action. */
export type Outcome =
  | { readonly kind: 'done'; readonly output?: Readonly<Record<string, unknown>> }
  /** It can't be done for this contact: suppressed, capped, no consent, no address. The run goes on. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly output?: Readonly<Record<string, unknown>> }
  /** Tried again after `retryDelays` unless it is final. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly final: boolean;
      readonly output?: Readonly<Record<string, unknown>>;
    }
  /** It may go later: an exhausted budget. Asked again then; the policy for overdue sends decides. */
  | { readonly kind: 'later'; readonly until: number; readonly reason: string };

export type StepStatus = 'pending' | 'waiting' | 'running' | 'completed' | 'skipped' | 'failed';

/** What a step leaves in the run's history. */
export interface StepRecord {
  readonly nodeId: string;
  readonly kind: NodeKind;
  readonly status: StepStatus;
  /** When it happened or began to wait. */
  readonly at: number;
  /** When a waiting step goes on; null where it waits for an event only, or is over. */
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
 * What happens now.
 * `act`: perform the action and hand its outcome to `finish`, which answers one of the others.
 * `wait`: store the state; `step.status` is waiting, or pending where an act was put off.
 * `move`: store the state, whose node is the next one; call `step` again when it is due, which may be now.
 * `end`: the run is over; `step` is null where it ended before the node began.
 */
export type Decision =
  | { readonly kind: 'act'; readonly nodeId: string; readonly action: Action }
  | { readonly kind: 'wait'; readonly step: StepRecord; readonly state: RunState }
  | { readonly kind: 'move'; readonly step: StepRecord; readonly edge: string; readonly state: RunState }
  | { readonly kind: 'end'; readonly step: StepRecord | null; readonly ending: Ending };

/** A decision that is complete without an action. */
export type Settled = Exclude<Decision, { kind: 'act' }>;

/** An event type that would move a run, for the index of waiting runs. */
export interface Listening {
  readonly nodeId: string;
  readonly type: string;
}

/** A text in the house's template language: `services.templates.text({ body })` fits. */
export interface TextOfSource {
  /** @throws where the text cannot be rendered with these values */
  render(resource: string, values: Readonly<Record<string, unknown>>, now: number): string;
}

/** Parses a text once. @throws where it does not parse */
export type ParseText = (body: string) => TextOfSource;

/** A definition made ready for steps: made once a version by `createInterpreter`, kept in memory. */
export interface Interpreter {
  readonly definition: Definition;
  /** The state of a new run at `at`. */
  begin(at: number, event: RunEvent | null): RunState;
  /** What happens at the run's node now. Called when `state.dueAt` is reached. */
  step(state: RunState, runContext: RunContext): Decision;
  /** What follows from the outcome of an action. */
  finish(state: RunState, runContext: RunContext, outcome: Outcome): Settled;
  /** What an event does to the run; undefined where it does nothing. A step of the same transaction follows a move. */
  wake(state: RunState, runContext: RunContext, event: RunEvent): Settled | undefined;
  /** The node whose message the run waits for: an event of its timeline counts, whenever it was written. */
  awaits(state: RunState): { readonly ofNode: string; readonly type: string } | undefined;
  /** The event types that can move the run from here. */
  listensTo(state: RunState): readonly Listening[];
  /** Moves an active run to a node, or along an edge of its node; `fault` says why not. */
  transition(
    state: RunState,
    target: { readonly nodeId: string } | { readonly edge: string },
    now: number,
    reason: string | null,
  ): { readonly ok: true; readonly decision: Settled } | { readonly ok: false; readonly fault: string };
  /** Whether an event may start a run, by the trigger. */
  startsWith(runContext: RunContext, event: RunEvent): boolean;
  /** Lists whose membership filters ask for. */
  readonly lists: readonly string[];
}

/** Milliseconds until a failed act is tried again; after the last it fails for good. */
export const retryDelays: readonly number[] = [30_000, 120_000, 600_000, 1_800_000, 7_200_000];

/** Steps after which a run exits with `step_limit`. */
export const maxSteps = 1_000;
