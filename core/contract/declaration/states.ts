// State machines of rows: the states, the allowed moves between them, and the move itself as one compare-and-set.
// Plugins declare them next to their tables; operations and jobs use them. Accesses rows only through `StateRows`.
import { coreErrors } from '../errors/core-errors.ts';

/** The access to a table that a move needs: two statements, each on one row of the workspace. */
export interface StateRows<State extends string, Changes> {
  /** Returns the row's state; undefined if the row does not exist. */
  stateOf(id: string): Promise<State | undefined>;
  /**
   * Runs one UPDATE: if the state is in `from`, sets the state to `to` and sets the columns `set`. Returns the number of
   * changed rows.
   */
  change(id: string, from: readonly State[], to: State, set: Changes): Promise<number>;
}

/** One move of one row. */
export interface StateMove<State extends string, Changes> {
  readonly id: string;
  readonly to: State;
  /** Narrows the states that the declaration allows. (Default: every state from which `to` can be reached) */
  readonly from?: State | readonly State[];
  /** Columns written in the same statement. (Default: none) */
  readonly set?: Changes;
  /** Makes the plugin's own `…_not_found` error, which is thrown if the row does not exist. */
  readonly notFoundError: () => Error;
}

/** A declared state machine. */
export interface StateMachine<State extends string> {
  readonly states: readonly State[];
  /** The states to which a row in this state can move. */
  next(state: State): readonly State[];
  /** The states from which a row can move to this state. */
  sources(state: State): readonly State[];
  /**
   * Moves a row or changes nothing. Of several concurrent requests for the same move, only one succeeds. Works inside any
   * transaction, also inside a transaction of the program.
   * @throws the error that `notFoundError` makes; state_conflict, which names the row's state and its next states
   */
  move<Changes>(rows: StateRows<State, Changes>, move: StateMove<State, Changes>): Promise<void>;
}

const joinWithOr = (states: readonly string[]): string =>
  states.length < 2 ? states.join() : `${states.slice(0, -1).join(', ')} or ${states.at(-1)}`;

/** Why a row in `state` cannot move to `to`. */
function refusalOf(state: string, to: string, allowed: readonly string[], next: readonly string[]): string {
  if (next.length === 0)
    return state === to ? `It is ${to} already.` : `It already is ${state}, and can no longer become ${to}.`;
  const nextStates = `It can become ${joinWithOr(next)}.`;
  if (state === to) return `It is ${to} already. ${nextStates}`;
  const requirement = allowed.length === 0 ? '' : `: the state must be ${joinWithOr(allowed)}`;
  return `It is ${state}, and cannot become ${to}${requirement}. ${nextStates}`;
}

/** The number of attempts. Two, because another transaction may set an allowed state between the failed update and the read. */
const attempts = 2;

/**
 * Declares the states of a row and the states that can follow each. A final state has an empty list.
 * @example const postStates = defineStates({ draft: ['ready'], ready: ['scheduled', 'deleted'], scheduled: ['ready'],
 * deleted: [] });
 */
export function defineStates<const Moves extends Readonly<Record<string, readonly (keyof Moves & string)[]>>>(
  moves: Moves,
): StateMachine<keyof Moves & string> {
  type State = keyof Moves & string;
  const states = Object.keys(moves) as State[];
  const next = (state: State): readonly State[] => moves[state] ?? [];
  const sources = (to: State): readonly State[] => states.filter((state) => next(state).includes(to));

  const allowedSources = (to: State, from: State | readonly State[] | undefined): readonly State[] => {
    const sourceStates = sources(to);
    if (from === undefined) return sourceStates;
    const fromStates: readonly State[] = typeof from === 'string' ? [from] : from;
    const unreachable = fromStates.find((state) => !sourceStates.includes(state));
    if (unreachable !== undefined) throw new RangeError(`These states declare no move from ${unreachable} to ${to}.`);
    return fromStates;
  };

  return {
    states,
    next,
    sources,
    async move(rows, { id, to, from, set, notFoundError }) {
      const allowed = allowedSources(to, from);
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const changed =
          allowed.length === 0 ? 0 : await rows.change(id, allowed, to, set ?? ({} as NonNullable<typeof set>));
        if (changed > 0) return;
        const state = await rows.stateOf(id);
        if (state === undefined) throw notFoundError();
        if (!allowed.includes(state))
          throw coreErrors.state_conflict({ reason: refusalOf(state, to, allowed, next(state)) });
      }
      throw coreErrors.state_conflict({
        reason: 'Another request changed the same thing at the same moment. Read it again and retry.',
      });
    },
  };
}
