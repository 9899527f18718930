// The fixture of an operation, for its generated tests: the rows and the valid input of a call, ids that must be treated as
// missing, and requests that cause its errors. postrider/testing implements the kit.
import type { TransactionContext } from '../context/context.ts';
import type { Services } from '../open.ts';

/** The tools of a fixture: calls and writes in the workspace under test and in a foreign workspace. */
export interface FixtureKit {
  readonly workspaceId: string;
  /** Another workspace of the same service, for rows that must be treated as missing. */
  readonly foreignWorkspaceId: string;
  readonly services: Services;
  /** Creates an API key and returns its id. */
  apiKey(workspaceId?: string): Promise<string>;
  /** Returns a different value at every call, for keys and addresses. */
  unique(prefix: string): string;
  /**
   * Runs an operation in process, as the embedding program: `call('notes.create', { key })`. If the kit was made for the
   * sandbox side, the call runs there, except for operations with `liveOnly`.
   */
  call(
    operationId: string,
    flat: Readonly<Record<string, unknown>>,
    workspaceId?: string,
  ): Promise<Record<string, unknown>>;
  /** Writes rows directly, in a transaction of the workspace. */
  write<T>(work: (ctx: TransactionContext) => Promise<T>, workspaceId?: string): Promise<T>;
}

/** The parts of a request. */
export interface FixtureRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Ids of another workspace's rows, by the part of the request that contains the id. The generated tests require one for each
 * field of a query or a body that is an `idOf(…)`, or whose name ends in Id, Key or Ref. If the field does not name a row, give
 * `skipped: ` and the reason.
 */
export interface ForeignIds {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Fields of the body. A value may be an object or a list that contains the id, such as `{ recipient: { id } }`. If one field
   * contains ids at several paths, a name may be one of these paths. Its value is still the value of the whole field:
   * `{ 'nodes[].listId': [{ listId }], 'nodes[].note': 'skipped: …' }`.
   */
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * Fields of `query` and `body` for which an unknown id gives another result than usual, with that result: `{ noteIds: 'unknown
   * ids are counted' }`. For all other fields, a call that changes something must fail with 404, or with 422 and a detail of the
   * code `unknown` for the field.
   */
  readonly otherwise?: Readonly<Record<string, string>>;
}

/**
 * How a declared error is caused: a function that makes the needed rows and returns the parts of the request that differ from
 * the fixture. If no request can cause the error, a string with the reason, or with the test that shows the error; that test
 * must contain the code.
 */
export type ErrorCase =
  | ((kit: FixtureKit) => Promise<FixtureRequest>)
  | `unreachable: ${string}`
  | `unreachable here: shown in ${string}`;

/** By error code. */
export type ErrorCases = Readonly<Record<string, ErrorCase>>;

/** Rows and a valid input for the generated tests. */
export interface Fixture extends FixtureRequest {
  /**
   * Ids of another workspace's rows, which must be treated like missing ids. A plain record of strings means path parameters.
   * If the path parameters of an operation do not name a row, give `skipped: ` and the reason.
   */
  readonly foreign?: Readonly<Record<string, string>> | ForeignIds | `skipped: ${string}`;
  /**
   * Another valid body, for the check that a repeated Idempotency-Key with another request is refused. (Default: the fixture's
   * body with another value in one field)
   */
  readonly otherBody?: unknown;
  /** How each of the operation's `errors` is caused, except `cursor_invalid` and the errors of missing ids. */
  readonly errors?: ErrorCases;
}

/**
 * Makes one row that a list shows. Returns the value that identifies the row in the list. `params`: the list's path parameters.
 */
export type MakeItem = (
  kit: FixtureKit,
  workspaceId: string,
  params: Readonly<Record<string, string>>,
) => Promise<string>;

/** Why the rows of a list cannot be made here, and which test covers the pages of the list: `skipped: …`. */
export type NoItem = `skipped: ${string}`;

const isParams = (foreign: object): foreign is Readonly<Record<string, string>> =>
  Object.values(foreign).every((value) => typeof value === 'string');

/** The foreign ids of a fixture by part of the request; undefined if it has none. */
export function foreignIds({ foreign }: Fixture): ForeignIds | undefined {
  if (foreign === undefined || typeof foreign === 'string') return undefined;
  return isParams(foreign) ? { params: foreign } : foreign;
}
