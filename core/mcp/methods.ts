// The methods of the protocol, the generation of each method, and their handlers. Called by endpoint.ts.
import type { z } from 'zod';
import { checkValue, faultSentence } from '../contract/input-faults.ts';
import type { Core } from '../pipeline/core.ts';
import { complete } from './completion.ts';
import { type Era, type Exchange, modernRevision, serverInfo, writeResult } from './exchange.ts';
import { type ResultJson, RpcFault, rpcCodes } from './json-rpc.ts';
import { createPrompts } from './prompts.ts';
import { createResources, refuseCursor } from './resources.ts';
import type { LegacySdk } from './sdk.ts';
import { clientName, writeSession } from './session.ts';
import { callTool } from './tool-call.ts';
import { createToolList } from './tool-list.ts';
import type { Visibility } from './visibility.ts';

/** A result and its HTTP headers. */
export interface Answer {
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
  answer(exchange: Exchange, sdk: LegacySdk): string | Answer | Promise<string | Answer>;
}

const capabilities = '"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}}';

/** The instructions for a client that connects: how the tools work, the order of tools for common jobs, and how to list fewer. */
function instructions({ core, admission, options }: Exchange, { areas, isOffered, isAllowed }: Visibility): string {
  const { registry, ports } = core;
  const isVisible = (name: string): boolean => {
    const operation = registry.tools.get(name);
    return operation !== undefined && isOffered(operation, options) && isAllowed(operation, admission.scopes);
  };
  const orders = registry.plugins
    .flatMap(({ toolOrders }) => toolOrders)
    .filter(({ tools, unless }) => tools.every(isVisible) && (unless === undefined || !isVisible(unless)))
    .map(({ job, tools, note = '' }) => `- ${job}: ${tools.join(', ')}.${note === '' ? '' : ` ${note}`}`);
  return [
    `The tools are the operations of ${ports.service.name}'s REST API. Tools that change something take dry_run to check and price a call first, and where it is offered idempotency_key to make retries safe. Only tools that the key's scopes allow are listed: where one that a job needs is missing, say so and ask for a key that may. An error names its code, says what to do, and carries a request_id. What there is to read is a resource as well, and prompts tell the common jobs.`,
    ...(orders.length === 0 ? [] : ['Orders of work:', ...orders]),
    `To list fewer tools, add toolsets to the URL of this endpoint: ?toolsets=${[...areas].sort().join(',')} names all there are; readonly=1 leaves out what changes something, templates=compact the variables of each template.`,
  ].join('\n');
}

const described = (exchange: Exchange, visibility: Visibility): string =>
  `"instructions":${JSON.stringify(instructions(exchange, visibility))}`;

function checkParams({ method, params }: Exchange, schema: RequestSchema): void {
  // The SDK may have its own zod, whose schemas have another type but take the same options.
  const checked = checkValue(schema as z.ZodType, { method, params }, 'The message');
  if (checked.ok) return;
  const [fault] = checked.faults;
  const where = fault === undefined ? '' : ` ${faultSentence(fault)}`;
  throw new RpcFault(rpcCodes.invalidParams, `The parameters of ${method} are not valid.${where}`);
}

function initialize(exchange: Exchange, sdk: LegacySdk, visibility: Visibility): Answer {
  const { core, params, admission } = exchange;
  const { protocolVersion, clientInfo } = params as { protocolVersion: string; clientInfo: unknown };
  const agreed = sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
    ? protocolVersion
    : sdk.LATEST_PROTOCOL_VERSION;
  const client = clientName(clientInfo);
  const { keyId } = admission.actor;
  return {
    result: writeResult(
      exchange,
      `"protocolVersion":${JSON.stringify(agreed)},${capabilities},"serverInfo":${JSON.stringify(serverInfo(core))},${described(exchange, visibility)}`,
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
  const nothing: Method = { era: 'legacy', answer: (exchange) => writeResult(exchange, '') };
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
          `"supportedVersions":["${modernRevision}"],${capabilities},${described(exchange, visibility)}`,
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
    ping: nothing,
    'logging/setLevel': nothing,
  };
  return new Map(Object.entries(methods));
}

/** Makes the function that answers one request. @throws RpcFault */
export function createMethods(
  core: Core,
  visibility: Visibility,
): (exchange: Exchange, sdk: LegacySdk) => Promise<Answer> {
  const methods = methodTable(core, visibility);
  return async (exchange, sdk) => {
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
