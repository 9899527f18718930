// completion/complete: suggests values for a resource's `{name}` or a prompt's argument, from the resource's list. Reads pages
// of the list until it has enough values; if it did not read the list to its end, it reports more values.
import { isPostriderError } from '../contract/errors/errors.ts';
import { type Exchange, writeResult } from './exchange.ts';
import { RpcFault, refusalFault, rpcCodes } from './json-rpc.ts';
import type { Prompts } from './prompts.ts';
import { listResourceItems, type McpResource } from './resource-items.ts';
import type { Resources } from './resources.ts';
import type { Visibility } from './visibility.ts';

/** The protocol's own limit. */
const maxValues = 100;
/** The largest page that every list accepts. */
const pageSize = 100;
/** The largest number of members read for one completion: clients ask at every key stroke. */
const maxMembers = 1_000;

/** The source of a completion: a name in a resource's URI. */
interface Source {
  readonly resource: McpResource;
  readonly name: string;
}

type Reference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

function sourceOf(
  exchange: Exchange,
  { resources, prompts }: { readonly resources: Resources; readonly prompts: Prompts },
): Source | undefined {
  const { ref, argument } = exchange.params as { ref: Reference; argument: { name: string } };
  const unknownArgument = (owner: string) =>
    new RpcFault(rpcCodes.invalidParams, `${owner} has no argument ${JSON.stringify(argument.name.slice(0, 100))}.`);
  if (ref.type === 'ref/resource') {
    const resource = resources.find(exchange, ref.uri);
    if (resource === undefined) {
      throw new RpcFault(
        rpcCodes.invalidParams,
        `There is no resource template ${ref.uri.slice(0, 200)}. See resources/templates/list.`,
      );
    }
    if (!resource.pattern.names.includes(argument.name)) throw unknownArgument(ref.uri);
    return { resource, name: argument.name };
  }
  const prompt = prompts.find(exchange, ref.name);
  const declaredArgument = prompt.arguments.find(({ name }) => name === argument.name);
  if (declaredArgument === undefined) throw unknownArgument(`The prompt ${prompt.name}`);
  const resource =
    declaredArgument.resource === undefined ? undefined : resources.find(exchange, declaredArgument.resource);
  const name = resource?.pattern.names[0];
  return resource === undefined || name === undefined ? undefined : { resource, name };
}

/** Returns the values with the given prefix, in the order of the list. @throws RpcFault */
export async function complete(
  exchange: Exchange,
  served: { readonly resources: Resources; readonly prompts: Prompts },
  { isAllowed }: Visibility,
): Promise<string> {
  const source = sourceOf(exchange, served);
  const write = (values: readonly string[], hasMore: boolean) =>
    writeResult(exchange, `"completion":${JSON.stringify({ values: values.slice(0, maxValues), hasMore })}`);
  const list = source?.resource.list;
  if (source === undefined || list === undefined || !isAllowed(list, exchange.admission)) return write([], false);
  const { argument } = exchange.params as { argument: { value: string } };
  const prefix = argument.value.toLowerCase();
  try {
    const values = new Set<string>();
    let cursor: string | undefined;
    let readCount = 0;
    do {
      const { items, next } = await listResourceItems(exchange, source.resource, { limit: pageSize, cursor });
      for (const member of items) {
        const value = member.values[source.name] ?? '';
        if (value.toLowerCase().startsWith(prefix)) values.add(value);
      }
      readCount += items.length;
      // An empty page ends the search: otherwise it could be requested for ever.
      cursor = items.length === 0 ? undefined : next;
    } while (cursor !== undefined && values.size < maxValues && readCount < maxMembers);
    return write([...values], cursor !== undefined || values.size > maxValues);
  } catch (error) {
    throw isPostriderError(error) ? refusalFault(error, exchange.requestId) : error;
  }
}
