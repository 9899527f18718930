// The methods of the protocol, the generation of each method, and their handlers. Called by endpoint.ts.
import type { z } from 'zod';
import { checkValue, faultSentence } from '../contract/errors/input-faults.ts';
import type { Core } from '../pipeline/core.ts';
import { searchTool } from '../projections/listed-tool.ts';
import { callAnyTool } from './call-any.ts';
import { complete } from './completion.ts';
import { type Era, type Exchange, modernRevision, serverInfo, writeResult } from './exchange.ts';
import { type ResultJson, RpcFault, rpcCodes } from './json-rpc.ts';
import { createPrompts } from './prompts.ts';
import { createResources, refuseCursor } from './resources.ts';
import type { LegacySdk } from './sdk.ts';
import { clientName, writeSession } from './session.ts';
import { callTool } from './tool-call.ts';
import { createToolList } from './tool-list.ts';
import { coreToolset, type EndpointOptions } from './url-options.ts';
import type { Visibility } from './visibility.ts';

/** A result and its HTTP headers. */
export interface McpMethodResult {
  readonly result: ResultJson;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A schema of the SDK; a fault that it finds is the caller's. */
interface RequestSchema {
  safeParse(value: unknown): { readonly success: boolean };
}

/** A method. Without an era, both generations have it. */
interface Method {
  readonly era?: Era;
  schema?(sdk: LegacySdk): RequestSchema;
  answer(exchange: Exchange, sdk: LegacySdk): string | McpMethodResult | Promise<string | McpMethodResult>;
}

const capabilities = '"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}}';

/** How to find tools that the list shortens or leaves out. */
function searchHint({ toolsets, wholeSchemas }: EndpointOptions): string[] {
  const isCore = toolsets?.includes(coreToolset) === true;
  const unlistedHint = isCore ? ` Most tools are not listed: find them there, and call them with ${callAnyTool}.` : '';
  if (wholeSchemas) return [`${searchTool} finds tools by the words of a job.${unlistedHint}`];
  return [
    `Descriptions and arguments are shortened in the list: an argument of the type object may have fields that the list does not show. ${searchTool} returns them in full (query: the job in words, or the name of a tool with limit 1).${unlistedHint}`,
  ];
}

/** The instructions for a client that connects: how the tools work, the order of tools for common tasks, and how to list fewer. */
function instructions({ core, admission, options }: Exchange, { areas, isCallable, isAllowed }: Visibility): string {
  const { registry, ports } = core;
  const isVisible = (name: string): boolean => {
    const operation = registry.tools.get(name);
    return operation !== undefined && isCallable(operation, options) && isAllowed(operation, admission);
  };
  const workflows = registry.plugins
    .flatMap(({ toolWorkflows }) => toolWorkflows)
    .filter(({ tools, unless }) => tools.every(isVisible) && (unless === undefined || !isVisible(unless)))
    .map(({ task, tools, note = '' }) => `- ${task}: ${tools.join(', ')}.${note === '' ? '' : ` ${note}`}`);
  const searchText = isVisible(searchTool) ? searchHint(options) : [];
  return [
    `The tools are the operations of ${ports.service.name}'s REST API. Tools that change something take dry_run: true checks and prices the call, and changes nothing. Many take idempotency_key, a text of your own of 1 to 200 characters that makes retries safe: for 24 hours the same key with the same arguments returns the response of the first call, and nothing is done twice. Lists return next_cursor, null on the last page: pass it as cursor to get the next page; limit is the number of items on a page, at most 100 (default: 25). Only tools that the key's scopes allow are listed: if a tool that you need is missing, say so and ask for a key with more scopes. An error names its code, says what to do, and has a request_id. Readable data is also available as resources, and prompts describe common tasks.`,
    ...searchText,
    ...(workflows.length === 0 ? [] : ['Tools for common tasks, in order:', ...workflows]),
    `To list fewer tools, add toolsets to the URL of this endpoint: ?toolsets=${coreToolset} has the most used ones, ?toolsets=${[
      ...areas,
    ]
      .filter((area) => area !== coreToolset)
      .sort()
      .join(
        ',',
      )} names all others; readonly=1 leaves out what changes something, templates=compact the variables of each template.`,
  ].join('\n');
}

const listResponse = (exchange: Exchange, visibility: Visibility): string =>
  `"instructions":${JSON.stringify(instructions(exchange, visibility))}`;

/** The request without `arguments` if that is null: some clients send null instead of leaving it out. */
function withoutNull({ params, ...rest }: Exchange): Exchange {
  const { arguments: args, ...otherParams } = params;
  return { ...rest, params: args === null ? otherParams : params };
}

function checkParams({ method, params }: Exchange, schema: RequestSchema): void {
  // The SDK may have its own zod, whose schemas have another type but take the same options.
  const checked = checkValue(schema as z.ZodType, { method, params }, 'The message');
  if (checked.ok) return;
  const [fault] = checked.faults;
  const faultPath = fault === undefined ? '' : ` ${faultSentence(fault)}`;
  throw new RpcFault(rpcCodes.invalidParams, `The parameters of ${method} are not valid.${faultPath}`);
}

function initialize(exchange: Exchange, sdk: LegacySdk, visibility: Visibility): McpMethodResult {
  const { core, params, admission } = exchange;
  const { protocolVersion, clientInfo } = params as { protocolVersion: string; clientInfo: unknown };
  const version = sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
    ? protocolVersion
    : sdk.LATEST_PROTOCOL_VERSION;
  const client = clientName(clientInfo);
  const { keyId } = admission.actor;
  return {
    result: writeResult(
      exchange,
      `"protocolVersion":${JSON.stringify(version)},${capabilities},"serverInfo":${JSON.stringify(serverInfo(core))},${listResponse(exchange, visibility)}`,
    ),
    ...(client === undefined || keyId === undefined
      ? {}
      : { headers: { 'Mcp-Session-Id': writeSession(core.ports.keyring, client, keyId) } }),
  };
}

function methodTable(core: Core, visibility: Visibility): ReadonlyMap<string, Method> {
  const listTools = createToolList(core, visibility);
  const resources = createResources(core, visibility);
  const prompts = createPrompts(core, visibility);
  const emptyResult: Method = { era: 'legacy', answer: (exchange) => writeResult(exchange, '') };
  const methods: Record<string, Method> = {
    'tools/list': {
      schema: (sdk) => sdk.ListToolsRequestSchema,
      async answer(exchange) {
        refuseCursor(exchange);
        return { result: await listTools(exchange) };
      },
    },
    'tools/call': {
      schema: (sdk) => sdk.CallToolRequestSchema,
      answer: (exchange) => callTool(exchange, visibility),
    },
    'resources/list': { schema: (sdk) => sdk.ListResourcesRequestSchema, answer: resources.list },
    'resources/templates/list': {
      schema: (sdk) => sdk.ListResourceTemplatesRequestSchema,
      answer: resources.templates,
    },
    'resources/read': { schema: (sdk) => sdk.ReadResourceRequestSchema, answer: resources.read },
    'prompts/list': { schema: (sdk) => sdk.ListPromptsRequestSchema, answer: prompts.list },
    'prompts/get': { schema: (sdk) => sdk.GetPromptRequestSchema, answer: prompts.get },
    'completion/complete': {
      schema: (sdk) => sdk.CompleteRequestSchema,
      answer: (exchange) => complete(exchange, { resources, prompts }, visibility),
    },
    'server/discover': {
      era: 'modern',
      answer: (exchange) =>
        writeResult(
          exchange,
          `"supportedVersions":["${modernRevision}"],${capabilities},${listResponse(exchange, visibility)}`,
          {
            cacheable: true,
          },
        ),
    },
    initialize: {
      era: 'legacy',
      schema: (sdk) => sdk.InitializeRequestSchema,
      answer: (exchange, sdk) => initialize(exchange, sdk, visibility),
    },
    ping: emptyResult,
    'logging/setLevel': emptyResult,
  };
  return new Map(Object.entries(methods));
}

/** Makes the function that answers one request. @throws RpcFault */
export function createMethods(
  core: Core,
  visibility: Visibility,
): (exchange: Exchange, sdk: LegacySdk) => Promise<McpMethodResult> {
  const methods = methodTable(core, visibility);
  return async (receivedExchange, sdk) => {
    const exchange = withoutNull(receivedExchange);
    const { era, method: name } = exchange;
    const method = methods.get(name);
    if (method === undefined || (method.era !== undefined && method.era !== era)) {
      throw new RpcFault(rpcCodes.methodNotFound, `There is no method ${name.slice(0, 100)} here.`, {
        status: era === 'modern' ? 404 : 200,
      });
    }
    if (method.schema !== undefined) checkParams(exchange, method.schema(sdk));
    const answer = await method.answer(exchange, sdk);
    return typeof answer === 'string' ? { result: answer } : answer;
  };
}
