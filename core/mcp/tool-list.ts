// tools/list: the tools that a key sees, as bytes that are made once for each set of scopes and options. Tools that a workspace
// narrows are checked for changes at each request, because their rows change.
import { jsonType } from '../contract/representation.ts';
import type { Core } from '../pipeline/core.ts';
import { createPrepareContext } from '../pipeline/operation-context.ts';
import { isTool, type ToolDefinition, type ToolOperation, toolDefinition } from '../projections/mcp.ts';
import { type Exchange, resultExtras } from './exchange.ts';
import type { EndpointOptions } from './url-options.ts';
import type { HeldScopes, Visibility } from './visibility.ts';

/** A tool that a workspace narrows: the bytes before and after its input schema. */
interface Narrowed {
  readonly operation: ToolOperation;
  readonly before: string;
  readonly after: string;
}

/** Bytes of unchanging tools, or a tool that a workspace narrows. */
type Segment = Uint8Array | Narrowed;

const mark = '\u0000';

/** Freezes the shared schema: code that narrows it must make a new one. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

/** The definition in lists. Schemas of answers are left out by default: they are half of its size, and most models never read them. */
function listedDefinition(operation: ToolOperation, outputSchemas: boolean): ToolDefinition {
  const definition = toolDefinition(operation);
  if (outputSchemas) return definition;
  const { outputSchema: _unread, ...rest } = definition;
  return rest;
}

function narrowedSegment(operation: ToolOperation, outputSchemas: boolean): Narrowed {
  const definition = listedDefinition(operation, outputSchemas);
  freeze(definition.inputSchema);
  const [before = '', after = ''] = JSON.stringify({ ...definition, inputSchema: mark }).split(JSON.stringify(mark));
  return { operation, before, after };
}

/** Splits the tools into segments. The list gets exactly one comma between two segments. */
function segmentsOf(operations: readonly ToolOperation[], outputSchemas: boolean): readonly Segment[] {
  const segments: Segment[] = [];
  let fixed: string[] = [];
  const close = () => {
    if (fixed.length > 0) segments.push(Buffer.from(fixed.join(','), 'utf8'));
    fixed = [];
  };
  for (const operation of operations) {
    if (operation.tool.narrow === undefined) {
      fixed.push(JSON.stringify(listedDefinition(operation, outputSchemas)));
    } else {
      close();
      segments.push(narrowedSegment(operation, outputSchemas));
    }
  }
  close();
  return segments;
}

/** The size of the cache of narrowed tools, in bytes; the oldest entries are dropped. */
const maxNarrowedBytes = 16 * 1_048_576;

class NarrowedTools {
  readonly #known = new Map<string, Uint8Array>();
  #bytes = 0;

  get(name: string): Uint8Array | undefined {
    return this.#known.get(name);
  }

  set(name: string, value: Uint8Array): void {
    if (this.#known.has(name)) return;
    this.#known.set(name, value);
    this.#bytes += name.length + value.length;
    for (const [oldest, gone] of this.#known) {
      if (this.#bytes <= maxNarrowedBytes) return;
      this.#known.delete(oldest);
      this.#bytes -= oldest.length + gone.length;
    }
  }
}

async function narrow(
  exchange: Exchange,
  { operation, before, after }: Narrowed,
  known: NarrowedTools,
): Promise<Uint8Array> {
  const { core, admission, requestId, http, options } = exchange;
  const { inputSchema } = toolDefinition(operation);
  const { workspace } = admission;
  const context = createPrepareContext(core, {
    workspace,
    actor: admission.actor,
    scopes: admission.scopes,
    requestId,
    now: core.ports.now(),
    sandbox: admission.sandbox,
    dryRun: false,
    representation: jsonType,
    signal: http.signal ?? new AbortController().signal,
  });
  const changed = await operation.tool.narrowedBy?.(context);
  const name =
    changed === undefined
      ? undefined
      : JSON.stringify([
          operation.id,
          workspace.id,
          admission.sandbox,
          options.compact,
          options.outputSchemas,
          changed,
        ]);
  const remembered = name === undefined ? undefined : known.get(name);
  if (remembered !== undefined) return remembered;
  const schema = await operation.tool.narrow?.(context, inputSchema, { compact: options.compact });
  const bytes = Buffer.from(`${before}${JSON.stringify(schema ?? inputSchema)}${after}`, 'utf8');
  if (name !== undefined) known.set(name, bytes);
  return bytes;
}

const maxRemembered = 200;
const [opening, comma] = [Buffer.from('{"tools":['), Buffer.from(',')];

/** Returns the handler of tools/list: every visible tool on one page. */
export function createToolList(
  core: Core,
  { isOffered, isAllowed }: Visibility,
): (exchange: Exchange) => Promise<readonly Uint8Array[]> {
  // Equal texts of scopes share one set, so the set itself is the cache key.
  const remembered = new WeakMap<object, Map<string, readonly Segment[]>>();
  const everything = {};
  const narrowed = new NarrowedTools();

  const visible = (scopes: HeldScopes, options: EndpointOptions): readonly Segment[] => {
    const holder = scopes ?? everything;
    const lists = remembered.get(holder) ?? new Map<string, readonly Segment[]>();
    remembered.set(holder, lists);
    const name = `${options.readOnly} ${options.outputSchemas} ${options.toolsets?.join() ?? '*'}`;
    let segments = lists.get(name);
    if (segments === undefined) {
      const tools = [...core.registry.tools.values()].filter(isTool);
      const listed = tools.filter((tool) => isOffered(tool, options) && isAllowed(tool, scopes));
      segments = segmentsOf(listed, options.outputSchemas);
      if (lists.size > maxRemembered) lists.clear();
      lists.set(name, segments);
    }
    return segments;
  };

  return async (exchange) => {
    const segments = visible(exchange.admission.scopes, exchange.options);
    const parts = await Promise.all(
      segments.map((segment) => (segment instanceof Uint8Array ? segment : narrow(exchange, segment, narrowed))),
    );
    const more = resultExtras(exchange, { cacheable: true });
    const separated = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
    return [opening, ...separated, Buffer.from(`]${more === '' ? '' : ','}${more}}`)];
  };
}
