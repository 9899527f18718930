// The members of a resource in this workspace: pages of its list operation, run through the pipeline like any other
// call. Called by resources.ts and completion.ts.
import type { Operation } from '../contract/operation.ts';
import type { ResourceDeclaration } from '../contract/resource.ts';
import { execute } from '../pipeline/execute.ts';
import { flatInput, unflatten } from '../projections/flat.ts';
import { isRecord } from '../projections/json-schema.ts';
import type { Exchange } from './exchange.ts';
import type { UriPattern } from './resource-uri.ts';

/** A declared resource with its operations. */
export interface Resource {
  readonly declaration: ResourceDeclaration;
  readonly pattern: UriPattern;
  readonly operation: Operation;
  readonly list: Operation | undefined;
}

/** An existing resource. */
export interface Member {
  /** The values of the URI's `{name}`s. */
  readonly values: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A page of members. */
export interface Members {
  readonly members: readonly Member[];
  readonly next: string | undefined;
}

/** The answer of a read operation as JSON text. @throws PostriderError */
export async function runRead(
  { core, admission, requestId, http }: Exchange,
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const result = await execute(core, {
    operation,
    admission,
    requestId,
    input: () => unflatten(operation, args),
    idempotencyKey: undefined,
    dryRun: false,
    foreign: undefined,
    signal: http.signal,
  });
  return result.json;
}

function memberOf({ declaration, pattern }: Resource, fields: unknown): Member {
  if (!isRecord(fields)) throw new Error(`${declaration.list} lists something that is no object.`);
  const values = pattern.names.map((name) => {
    const value = fields[name];
    if (typeof value === 'string' || typeof value === 'number') return [name, String(value)] as const;
    throw new Error(`${declaration.list} lists something without ${name}, which ${declaration.uri} needs.`);
  });
  return { values: Object.fromEntries(values), fields };
}

/** A page of members; `cursor` belongs to the list operation. @throws PostriderError */
export async function listMembers(
  exchange: Exchange,
  resource: Resource,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Members> {
  const { list } = resource;
  if (list === undefined) return { members: [], next: undefined };
  const { arguments: takes } = flatInput(list);
  const args = { ...(takes.has('limit') ? { limit } : {}), ...(cursor === undefined ? {} : { cursor }) };
  const answer: unknown = JSON.parse(await runRead(exchange, list, args));
  if (!isRecord(answer) || !Array.isArray(answer.data)) throw new Error(`${list.id} answers no list in data.`);
  return {
    members: answer.data.map((fields) => memberOf(resource, fields)),
    next: typeof answer.next_cursor === 'string' ? answer.next_cursor : undefined,
  };
}
