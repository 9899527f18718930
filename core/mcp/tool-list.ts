// tools/list: which tools a key sees, as bytes that are made once a set of scopes and options. Tools that a workspace
// narrows are written anew for each request, since templates come and go.
import type { PrepareContext } from '../contract/context.ts';
import type { Core } from '../pipeline/core.ts';
import type { ToolOperation } from '../projections/mcp.ts';
import { isTool, toolDefinition } from '../projections/mcp.ts';
import type { Exchange } from './exchange.ts';
import { writeResult } from './exchange.ts';

/** What a client asks for in the endpoint's URL. */
export interface ToolOptions {
  /** `?templates=compact`: schemas without a branch for each template. */
  readonly compact: boolean;
  /** `?readonly=1`: tools that change nothing. */
  readonly readOnly: boolean;
  /** `?toolsets=email,links`: tools of these areas; undefined for all. */
  readonly toolsets: readonly string[] | undefined;
}

const truths = new Set(['1', 'true', '']);

/** The area of an operation: the first part of its id. */
const areaOf = ({ id }: ToolOperation): string => id.split('.', 1)[0] ?? id;

/** Reads the options of a request's URL. */
export function toolOptions(url: string): ToolOptions {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  const readOnly = query.get('readonly');
  const toolsets = query.get('toolsets');
  return {
    compact: query.get('templates') === 'compact',
    readOnly: readOnly !== null && truths.has(readOnly),
    toolsets:
      toolsets === null || toolsets === ''
        ? undefined
        : [...new Set(toolsets.split(',').map((name) => name.trim()))].sort(),
  };
}

/** Whether the options leave a tool in. */
export function isOffered(operation: ToolOperation, { readOnly, toolsets }: ToolOptions): boolean {
  if (readOnly && operation.idempotency !== 'read') return false;
  return toolsets === undefined || toolsets.includes(areaOf(operation));
}

function isAllowed(operation: ToolOperation, scopes: ReadonlySet<string> | undefined): boolean {
  return scopes === undefined || operation.anyKey || operation.scopes.some((scope) => scopes.has(scope));
}

/** JSON text of tools that never change between tools that a workspace narrows. */
type Segment = string | ToolOperation;

function segmentsOf(operations: readonly ToolOperation[]): readonly Segment[] {
  const segments: Segment[] = [];
  let fixed: string[] = [];
  const close = () => {
    if (fixed.length > 0) segments.push(fixed.join(','));
    fixed = [];
  };
  for (const operation of operations) {
    if (operation.tool.narrow === undefined) {
      fixed.push(JSON.stringify(toolDefinition(operation)));
    } else {
      close();
      segments.push(operation);
    }
  }
  close();
  return segments;
}

async function narrowed(exchange: Exchange, operation: ToolOperation, compact: boolean): Promise<string> {
  const { core, admission, requestId, http } = exchange;
  const definition = toolDefinition(operation);
  const { workspace } = admission;
  const context: PrepareContext = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    workspace,
    actor: admission.actor,
    requestId,
    now: core.ports.now(),
    sandbox: admission.sandbox,
    dryRun: false,
    signal: http.signal ?? new AbortController().signal,
    read: async (work) => (await core.database()).read(workspace.id, work),
  };
  const inputSchema = await operation.tool.narrow?.(context, structuredClone(definition.inputSchema), { compact });
  return JSON.stringify({ ...definition, ...(inputSchema === undefined ? {} : { inputSchema }) });
}

const maxRemembered = 200;

/** Answers tools/list: every visible tool on one page. */
export function createToolList(core: Core): (exchange: Exchange, options: ToolOptions) => Promise<string> {
  const areas = new Set([...core.registry.tools.values()].filter(isTool).map(areaOf));
  // Held scopes are one shared set for each text of scopes, so the set itself is the key.
  const remembered = new WeakMap<object, Map<string, readonly Segment[]>>();
  const everything = {};

  const visible = (scopes: ReadonlySet<string> | undefined, options: ToolOptions): readonly Segment[] => {
    const holder = scopes ?? everything;
    const lists = remembered.get(holder) ?? new Map<string, readonly Segment[]>();
    remembered.set(holder, lists);
    const name = `${options.readOnly} ${options.toolsets?.filter((area) => areas.has(area)).join() ?? '*'}`;
    let segments = lists.get(name);
    if (segments === undefined) {
      const tools = [...core.registry.tools.values()].filter(isTool);
      segments = segmentsOf(tools.filter((tool) => isOffered(tool, options) && isAllowed(tool, scopes)));
      if (lists.size > maxRemembered) lists.clear();
      lists.set(name, segments);
    }
    return segments;
  };

  return async (exchange, options) => {
    const segments = visible(exchange.admission.scopes, options);
    const texts = await Promise.all(
      segments.map((segment) => (typeof segment === 'string' ? segment : narrowed(exchange, segment, options.compact))),
    );
    return writeResult(exchange, `"tools":[${texts.join(',')}]`, { cacheable: true });
  };
}
