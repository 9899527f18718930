// The fixture of an operation, for its generated tests: the rows and the valid input of a call, ids that must be answered as
// missing, and requests that raise its errors. The kit behind it is implemented by postrider/testing.
import type { TransactionContext } from './context.ts';
import type { Services } from './open.ts';

/** The tools of a fixture: typed calls in the workspace under test and in a foreign one. */
export interface FixtureKit {
  readonly workspaceId: string;
  /** Another workspace of the same service, for rows that must be answered as missing. */
  readonly foreignWorkspaceId: string;
  readonly services: Services;
  /** The id of a new API key. */
  apiKey(workspaceId?: string): Promise<string>;
  /** A different value at every call, for keys and addresses. */
  unique(prefix: string): string;
  /**
   * Runs an operation in process, as the embedding program: `call('notes.create', { key })`. On the sandbox side where the kit
   * was made for it, but for operations with `liveOnly`.
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
 * Ids of another workspace's rows, by the part of the request that names the row. The generated tests demand one for each field
 * of a query or a body that is an `idOf(…)`, or whose name ends in Id, Key or Ref; `none: ` and why says that it names no row.
 */
export interface ForeignIds {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Fields of the body. A value may be an object or a list that holds the id, such as `{ recipient: { id } }`. Where one field
   * has several places for ids, a name may be the path of one of them, and its value is still that of the whole field:
   * `{ 'nodes[].listId': [{ listId }], 'nodes[].note': 'none: …' }`.
   */
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * Names in `query` and `body` under which an id that no row has is answered otherwise, and how: `{ noteIds: 'unknown ids are
   * counted' }`. Elsewhere a call that changes something must answer 404, or 422 with a detail of the code `unknown` for the field.
   */
  readonly otherwise?: Readonly<Record<string, string>>;
}

/**
 * How a declared error is raised: makes the rows that it needs and answers the parts of the request that differ from the
 * fixture. For an error that no request can raise: a text with the reason or the test that shows it, which must name the code.
 */
export type ErrorProvocation =
  | ((kit: FixtureKit) => Promise<FixtureRequest>)
  | `unreachable: ${string}`
  | `unreachable here: shown in ${string}`;

/** By error code. */
export type ErrorProvocations = Readonly<Record<string, ErrorProvocation>>;

/** Rows and a valid input for the generated tests. */
export interface Fixture extends FixtureRequest {
  /**
   * Ids of another workspace's rows, to be answered like missing ones. Without parts they are path parameters. An operation
   * with path parameters that name no row says `none: ` and why.
   */
  readonly foreign?: Readonly<Record<string, string>> | ForeignIds | `none: ${string}`;
  /**
   * Another valid body, for the check that a repeated Idempotency-Key with another request is refused. (Default: this body with another
   * value in one field)
   */
  readonly otherBody?: unknown;
  /** How each of the operation's `errors` is raised, but for `cursor_invalid` and what a missing id raises. */
  readonly errors?: ErrorProvocations;
}

/** Makes one row that a list shows and answers the value that names it there. `params` are the list's path parameters. */
export type MakeItem = (
  kit: FixtureKit,
  workspaceId: string,
  params: Readonly<Record<string, string>>,
) => Promise<string>;

/** Why the rows of a list cannot be made here, and where a test shows its pages: `none: …`. */
export type NoItem = `none: ${string}`;

const isParams = (foreign: object): foreign is Readonly<Record<string, string>> =>
  Object.values(foreign).every((value) => typeof value === 'string');

/** The foreign ids of a fixture by part; undefined where it names none. */
export function foreignIds({ foreign }: Fixture): ForeignIds | undefined {
  if (foreign === undefined || typeof foreign === 'string') return undefined;
  return isParams(foreign) ? { params: foreign } : foreign;
}
