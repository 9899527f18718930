// The methods of the protocol beside the tools themselves, and which generation knows which. Called by endpoint.ts.
import type { Exchange } from './exchange.ts';
import { modernRevision, serverInfo, writeResult } from './exchange.ts';
import { RpcFault, rpcCodes } from './json-rpc.ts';
import type { LegacySdk } from './sdk.ts';
import { clientName, writeSession } from './session.ts';
import { callTool } from './tool-call.ts';
import type { ToolOptions } from './tool-list.ts';
import { toolOptions } from './tool-list.ts';

/** A result as JSON text, and headers that go with it. */
export interface Answer {
  readonly result: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the methods work with. */
export interface Methods {
  readonly sdk: LegacySdk;
  readonly listTools: (exchange: Exchange, options: ToolOptions) => Promise<string>;
}

const capabilities = '"capabilities":{"tools":{}}';

const instructions = (name: string): string =>
  `The tools are the operations of ${name}'s REST API. Tools that change something take dry_run to check and price a call first, ` +
  'and where it is offered idempotency_key to make retries safe. An error names its code, says what to do, and carries a request_id.';

const described = ({ core }: Exchange): string =>
  `"instructions":${JSON.stringify(instructions(core.ports.service.name))}`;

const invalidParams = (
  method: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): RpcFault => {
  const [issue] = issues;
  const where = issue === undefined ? '' : ` ${issue.path.map(String).join('.')}: ${issue.message}`;
  return new RpcFault(rpcCodes.invalidParams, `The parameters of ${method} are not valid.${where}`);
};

function initialize(exchange: Exchange, sdk: LegacySdk): Answer {
  const { core, params, admission } = exchange;
  const parsed = sdk.InitializeRequestSchema.safeParse({ method: 'initialize', params });
  if (!parsed.success) throw invalidParams('initialize', parsed.error.issues);
  const { protocolVersion, clientInfo } = parsed.data.params;
  const agreed = sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
    ? protocolVersion
    : sdk.LATEST_PROTOCOL_VERSION;
  const client = clientName(clientInfo);
  const { keyId } = admission.actor;
  return {
    result: writeResult(
      exchange,
      `"protocolVersion":${JSON.stringify(agreed)},${capabilities},"serverInfo":${JSON.stringify(serverInfo(core))},${described(exchange)}`,
    ),
    ...(client === undefined || keyId === undefined
      ? {}
      : { headers: { 'Mcp-Session-Id': writeSession(core.ports.keyring, client, keyId) } }),
  };
}

/** Answers one request. @throws RpcFault */
export async function answerMethod({ sdk, listTools }: Methods, exchange: Exchange): Promise<Answer> {
  const { era, method, params, http } = exchange;
  if (method === 'tools/list') return { result: await listTools(exchange, toolOptions(http.url)) };
  if (method === 'tools/call') {
    const parsed = sdk.CallToolRequestSchema.safeParse({ method, params });
    if (!parsed.success) throw invalidParams(method, parsed.error.issues);
    return { result: await callTool(exchange, toolOptions(http.url)) };
  }
  if (era === 'modern' && method === 'server/discover') {
    const members = `"supportedVersions":["${modernRevision}"],${capabilities},${described(exchange)}`;
    return { result: writeResult(exchange, members, { cacheable: true }) };
  }
  if (era === 'legacy' && method === 'initialize') return initialize(exchange, sdk);
  if (era === 'legacy' && (method === 'ping' || method === 'logging/setLevel'))
    return { result: writeResult(exchange, '') };
  throw new RpcFault(rpcCodes.methodNotFound, `There is no method ${method.slice(0, 100)} here.`, {
    status: era === 'modern' ? 404 : 200,
  });
}
