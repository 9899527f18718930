// The types of `service.as(workspace)`: typed calls by name, from the operations of the composed plugins.
import type { Operation, TypedOperation } from '../declaration/operation.ts';
import type { Representation } from '../declaration/representation.ts';

/** Options of an in-process call. */
export interface CallOptions {
  /** The idempotency key, like the Idempotency-Key header: 1 to 200 characters. */
  readonly idempotencyKey?: string;
  /** Runs the call and rolls it back. A function receives a report of what would have happened. (Default: false) */
  readonly dryRun?: boolean | ((report: DryRunReport) => void);
  /** The request id. If it is missing or not a `req_` id, a new id is made. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/** The effects that the real call would have had: its cost, the events that it would emit and the jobs that it would enqueue. */
export interface DryRunReport {
  readonly credits: number;
  readonly events: readonly string[];
  readonly jobs: readonly string[];
}

/**
 * An open transaction of the embedding program: a Kysely transaction, a connection of pg or mysql2 between BEGIN and COMMIT, or a
 * better-sqlite3 handle in a transaction. It cannot be a pool, because a pool has no transaction. It cannot be the `tx` of
 * Drizzle, Prisma or Knex or the `manager` of TypeORM, because they do not expose their connection; docs/transactions.md explains
 * what to pass instead.
 */
export type OpenTransaction = object & {
  /** Excludes a pg pool. */
  readonly totalCount?: never;
  /** Excludes a mysql2 pool. */
  readonly getConnection?: never;
  /** Excludes the `tx` of Drizzle. */
  readonly $with?: never;
  /** Excludes the `tx` of Prisma. */
  readonly $executeRaw?: never;
  /** Excludes the `tx` of Knex. */
  readonly executionPromise?: never;
  /** Excludes TypeORM's EntityManager. */
  readonly queryRunner?: never;
  /** Excludes TypeORM's QueryRunner. */
  readonly isTransactionActive?: never;
};

/** Options of a call that can join a transaction of the embedding program. */
export interface JoinableCallOptions extends CallOptions {
  /** An open transaction (Kysely, pg client, better-sqlite3 between BEGIN and COMMIT), or the result of `service.join` for one. */
  readonly trx?: OpenTransaction;
}

/** One typed call. */
export type Call<Op> =
  Op extends TypedOperation<string, infer F, infer Out, infer Prepared, infer Types>
    ? ([Types] extends [never]
        ? unknown
        : RepresentedCall<F, Types, true extends Prepared ? CallOptions : JoinableCallOptions>) &
        (Record<never, never> extends F
          ? (input?: F, options?: true extends Prepared ? CallOptions : JoinableCallOptions) => Promise<Out>
          : (input: F, options?: true extends Prepared ? CallOptions : JoinableCallOptions) => Promise<Out>)
    : never;

/** The same call with a response in another media type. A dry run returns JSON. */
type RepresentedCall<F, Types extends string, Options> = (
  input: F,
  options: Omit<Options, 'dryRun'> & { readonly representation: Types; readonly dryRun?: false },
) => Promise<Representation>;

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;
type AreaOf<Id> = Id extends `${infer Area}.${string}` ? CamelCase<Area> : never;
type NameOf<Id> = Id extends `${string}.${infer Name}` ? CamelCase<Name> : never;

/** The calls of a list of operations: `email.send_test` becomes `email.sendTest`. */
export type CallsOf<Ops extends readonly Operation[]> = {
  readonly [Area in AreaOf<Ops[number]['id']>]: {
    readonly [Op in Ops[number] as AreaOf<Op['id']> extends Area ? NameOf<Op['id']> : never]: Call<Op>;
  };
};

/** A joined transaction of the embedding program. */
export interface JoinedTransaction {
  /** Call it after your commit: the jobs of the joined calls then start at once instead of within 250 ms. */
  committed(): void;
}
