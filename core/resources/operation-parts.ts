// The parts that the standard operations of resources share: texts, the key in the path, and the generated tests' fixtures.
// Called by resource-list.ts, resource-operations.ts and resource-writes.ts.

import type { ErrorCases, FixtureKit } from '../contract/declaration/fixture.ts';
import type { ToolDeclaration } from '../contract/declaration/operation-spec.ts';
import { idParameter } from '../contract/schemas/fields.ts';
import * as z from '../contract/schemas/zod.ts';
import type { TenantRows } from './rows.ts';

/** The texts and errors that every operation of a resource declares. */
export interface OperationWords {
  /** (Default: from the verb and the resource's name: `Read a note`) */
  readonly summary?: string;
  readonly description?: string;
  readonly tool?: string | ToolDeclaration;
  /** Users' words that its texts lack: as in `defineOperation`. */
  readonly searchWords?: readonly string[];
  /** Error codes in addition to the standard codes of the operation and the codes in `errorCases`. */
  readonly errors?: readonly string[];
  /** How the generated tests cause each error that is not standard. */
  readonly errorCases?: ErrorCases;
}

/** The same with scopes, for a declaration without a resource. */
export interface OperationText extends OperationWords {
  readonly summary: string;
  readonly scopes: readonly string[];
}

/** Makes one row of the resource in a workspace and returns its key, for the generated tests. */
export type MakeOne = (kit: FixtureKit, workspaceId: string) => Promise<string>;

export type NoRename = Record<never, never>;

/** Fields that every declaration accepts. */
export const wordFields = {
  id: true,
  http: true,
  summary: true,
  description: true,
  tool: true,
  searchWords: true,
  scopes: true,
  errors: true,
  errorCases: true,
} as const;

/** Fields that list, read and delete declarations accept. A plugin may spread the fields of a row into all of its declarations. */
export const sharedFields = {
  ...wordFields,
  rows: true,
  exampleRow: true,
  item: true,
  present: true,
  notFoundError: true,
} as const;

/**
 * The path parameter that names a row. `rows`: the rows that it may name. If their ids have a prefix, the parameter must have it.
 */
export function keyParams<N extends string>(name: N, rows: object = {}): KeyParams<N> {
  const { table } = rows as Partial<TenantRows<object>>;
  const prefix = table?.definitions[table.key]?.prefix;
  const key = prefix === undefined ? z.string().min(1).max(200) : idParameter(prefix);
  return z.object({ [name]: key }) as unknown as KeyParams<N>;
}
export type KeyParams<N extends string> = z.ZodObject<{ readonly [K in N]: z.ZodString }>;
export type ParamOf<Path extends string> = Path extends `${string}{${infer N}}${string}` ? N : never;

export const parameterOf = (http: string): string => {
  const [, name, ...extraNames] = http.split(/[{}]/);
  if (name === undefined || extraNames.length > 1) throw new TypeError(`${http} must name one parameter.`);
  return name;
};

export const textOf = ({ summary, description, tool, searchWords, scopes }: OperationText) => ({
  summary,
  scopes,
  ...(description === undefined ? {} : { description }),
  ...(tool === undefined ? {} : { tool }),
  ...(searchWords === undefined ? {} : { searchWords }),
});

/** The error codes of an operation, each once. */
export const errorsOf = ({ errors = [], errorCases = {} }: OperationWords, standard: readonly string[]): string[] => [
  ...new Set([...standard, ...errors, ...Object.keys(errorCases)]),
];

export const errorCasesOf = ({ errorCases }: OperationWords) =>
  errorCases === undefined ? {} : { errors: errorCases };

/** The fixture of an operation on one row. */
export const fixtureOf =
  (spec: OperationWords & { readonly exampleRow: MakeOne }, name: string) => async (kit: FixtureKit) => ({
    params: { [name]: await spec.exampleRow(kit, kit.workspaceId) },
    foreign: { [name]: await spec.exampleRow(kit, kit.foreignWorkspaceId) },
    ...errorCasesOf(spec),
  });
