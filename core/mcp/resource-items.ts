// The members of a resource in this workspace: pages of its list operation, run through the pipeline like any other
// call. Called by resources.ts and completion.ts.
import type { Operation } from '../contract/declaration/operation.ts';
import type { ResourceDeclaration } from '../contract/declaration/resource.ts';
import { execute } from '../pipeline/execute.ts';
import { flatInput, unflatten } from '../projections/flat.ts';
import { isRecord } from '../projections/schema-parts.ts';
import type { Exchange } from './exchange.ts';
import type { UriPattern } from './resource-uri.ts';

/** A declared resource with its operations. */
export interface McpResource {
  readonly declaration: ResourceDeclaration;
  readonly pattern: UriPattern;
  readonly operation: Operation;
  readonly list: Operation | undefined;
}

/** An existing resource. */
export interface McpResourceItem {
  /** The values of the URI's `{name}`s. */
  readonly values: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A page of members. */
export interface McpResourceItems {
  readonly items: readonly McpResourceItem[];
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
    programTransaction: undefined,
    signal: http.signal,
  });
  return result.json;
}

function memberOf({ declaration, pattern }: McpResource, fields: unknown): McpResourceItem {
  if (!isRecord(fields)) throw new Error(`${declaration.list} lists an entry that is not an object.`);
  const values = pattern.names.map((name) => {
    const value = fields[name];
    if (typeof value === 'string' || typeof value === 'number') return [name, String(value)] as const;
    throw new Error(`${declaration.list} lists an entry without ${name}, which ${declaration.uri} needs.`);
  });
  return { values: Object.fromEntries(values), fields };
}

/** A page of members; `cursor` belongs to the list operation. @throws PostriderError */
export async function listResourceItems(
  exchange: Exchange,
  resource: McpResource,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<McpResourceItems> {
  const { list } = resource;
  if (list === undefined) return { items: [], next: undefined };
  const { arguments: argumentSchema } = flatInput(list);
  const args = { ...(argumentSchema.has('limit') ? { limit } : {}), ...(cursor === undefined ? {} : { cursor }) };
  const response: unknown = JSON.parse(await runRead(exchange, list, args));
  if (!isRecord(response) || !Array.isArray(response.data))
    throw new Error(`${list.id} does not return a list in data.`);
  return {
    items: response.data.map((fields) => memberOf(resource, fields)),
    next: typeof response.next_cursor === 'string' ? response.next_cursor : undefined,
  };
}
