// tools/list: the tools that a key sees, as bytes that are made once for each set of scopes and options. Tools that a workspace
// narrows are checked for changes at each request, because their rows change.
import { jsonType } from '../contract/declaration/representation.ts';
import type { Core } from '../pipeline/core.ts';
import { createPrepareContext } from '../pipeline/operation-context.ts';
import { listedTool, plainInput, searchTool } from '../projections/listed-tool.ts';
import { isTool, type ToolOperation, toolDefinition } from '../projections/mcp.ts';
import type { JsonSchema } from '../projections/schema-parts.ts';
import { ByteCache } from './byte-cache.ts';
import { callAnyDefinition } from './call-any.ts';
import { type Exchange, resultExtras } from './exchange.ts';
import { coreToolset, type EndpointOptions } from './url-options.ts';
import type { KeyRights, Visibility } from './visibility.ts';

/** Bytes of unchanging tools, or a tool that a workspace narrows. */
type Segment = Uint8Array | ToolOperation;

/** How a list shows its tools. */
interface ListForm {
  /** Whether definitions are complete, with the schemas of answers. */
  readonly whole: boolean;
  /** Whether large schemas may lose inner fields: search_tools returns these. */
  readonly mayCut: boolean;
}

/** Freezes the shared schema: code that narrows it must make a new one. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

/** The arguments before a workspace narrows them. */
const inputOf = (operation: ToolOperation, { whole }: ListForm): JsonSchema =>
  freeze(whole ? toolDefinition(operation).inputSchema : plainInput(operation));

/** A tool of the list as JSON text. */
function write(operation: ToolOperation, inputSchema: JsonSchema, { whole, mayCut }: ListForm): string {
  const tool = whole ? { ...toolDefinition(operation), inputSchema } : listedTool(operation, inputSchema, mayCut);
  return JSON.stringify(tool);
}

const encoder = new TextEncoder();

/** A text as bytes that may be kept. A small Buffer would be part of a shared block, and keep all of the block in memory. */
const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Splits the tools into segments. The list gets exactly one comma between two segments. */
function segmentsOf(operations: readonly ToolOperation[], form: ListForm): readonly Segment[] {
  const segments: Segment[] = [];
  let fixedTools: string[] = [];
  const close = () => {
    if (fixedTools.length > 0) segments.push(bytesOf(fixedTools.join(',')));
    fixedTools = [];
  };
  for (const operation of operations) {
    if (operation.tool.workspaceSchema === undefined) {
      fixedTools.push(write(operation, inputOf(operation, form), form));
    } else {
      close();
      segments.push(operation);
    }
  }
  close();
  return segments;
}

/** The largest size of each of the two caches: lists by scopes and options, and tools that workspaces narrow. */
const maxCachedBytes = 16 * 1_048_576;

/** The bytes of a list. The tools in it that workspaces narrow are part of the registry. */
const sizeOfList = (segments: readonly Segment[]): number =>
  segments.reduce((sum, segment) => sum + (segment instanceof Uint8Array ? segment.length : 0), 0);

async function narrow(
  exchange: Exchange,
  operation: ToolOperation,
  form: ListForm,
  cache: ByteCache<Uint8Array>,
): Promise<Uint8Array> {
  const { core, admission, requestId, http, options } = exchange;
  const { workspace } = admission;
  const context = createPrepareContext(core, {
    workspace,
    actor: admission.actor,
    scopes: admission.scopes,
    leash: admission.leash,
    leashCounter: admission.leashCounter,
    requestId,
    now: core.ports.now(),
    sandbox: admission.sandbox,
    dryRun: false,
    representation: jsonType,
    signal: http.signal ?? new AbortController().signal,
  });
  const version = await operation.tool.workspaceSchemaKey?.(context);
  const name =
    version === undefined
      ? undefined
      : JSON.stringify([operation.id, workspace.id, admission.sandbox, options.compact, options.wholeSchemas, version]);
  const cached = name === undefined ? undefined : cache.get(name);
  if (cached !== undefined) return cached;
  const inputSchema = inputOf(operation, form);
  const schema = await operation.tool.workspaceSchema?.(context, inputSchema, { compact: options.compact });
  const bytes = bytesOf(write(operation, schema ?? inputSchema, form));
  if (name !== undefined) cache.set(name, bytes);
  return bytes;
}

const [opening, comma] = [Buffer.from('{"tools":['), Buffer.from(',')];

/** Returns the handler of tools/list: every visible tool on one page. */
export function createToolList(
  core: Core,
  { isOffered, isAllowed }: Visibility,
): (exchange: Exchange) => Promise<readonly Uint8Array[]> {
  // Equal texts of scopes share one set, so a number for each set identifies the scopes in a cache key.
  const numbers = new WeakMap<object, number>();
  const allScopes = {};
  let sets = 0;
  const numberOf = (scopes: object): number => {
    const number = numbers.get(scopes) ?? sets++;
    numbers.set(scopes, number);
    return number;
  };
  const lists = new ByteCache<readonly Segment[]>(maxCachedBytes, sizeOfList);
  const narrowed = new ByteCache<Uint8Array>(maxCachedBytes, ({ length }) => length);
  const formOf = ({ wholeSchemas }: EndpointOptions): ListForm => ({
    whole: wholeSchemas,
    mayCut: core.registry.tools.has(searchTool),
  });

  const visible = (rights: KeyRights, options: EndpointOptions): readonly Segment[] => {
    const leashTools = rights.leash?.tools === undefined ? '*' : JSON.stringify(rights.leash.tools);
    const name = `${numberOf(rights.scopes ?? allScopes)} ${options.readOnly} ${options.wholeSchemas} ${options.toolsets?.join() ?? '*'} ${leashTools}`;
    let segments = lists.get(name);
    if (segments === undefined) {
      const tools = [...core.registry.tools.values()].filter(isTool);
      const listed = tools.filter((tool) => isOffered(tool, options) && isAllowed(tool, rights));
      const endpointTools = options.toolsets?.includes(coreToolset)
        ? [bytesOf(JSON.stringify(callAnyDefinition(options)))]
        : [];
      segments = [...endpointTools, ...segmentsOf(listed, formOf(options))];
      lists.set(name, segments);
    }
    return segments;
  };

  return async (exchange) => {
    const segments = visible(exchange.admission, exchange.options);
    const parts = await Promise.all(
      segments.map((segment) =>
        segment instanceof Uint8Array ? segment : narrow(exchange, segment, formOf(exchange.options), narrowed),
      ),
    );
    const extraMembers = resultExtras(exchange, { cacheable: true });
    const separated = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
    return [opening, ...separated, Buffer.from(`]${extraMembers === '' ? '' : ','}${extraMembers}}`)];
  };
}
