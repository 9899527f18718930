// Decides which generation of the protocol a message belongs to, and whether it is valid. The rules are those of the SDKs.
// Called by endpoint.ts once per request, with the parsed body.
import type { HttpRequest } from '../contract/http/http.ts';
import { isRecord } from '../projections/schema-parts.ts';
import { type Era, metaKeys, modernRevision } from './exchange.ts';
import { RpcFault, type RpcId, rpcCodes } from './json-rpc.ts';
import { MissingSdkError, type ModernSdk, type SdkLoader } from './sdk.ts';

/** A request, which gets an answer, or a notification, which is only acknowledged. */
export type McpMessage =
  | {
      readonly kind: 'request';
      readonly era: Era;
      readonly id: RpcId;
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'acknowledged' };

const badRequest = (code: number, message: string, data?: unknown): RpcFault =>
  new RpcFault(code, message, { status: 400, data });

const versionHeader = ({ headers }: HttpRequest): string | undefined => headers['mcp-protocol-version']?.trim();

/**
 * Whether a message needs the second SDK. It does if it has the envelope of the new revision, or if its header names that
 * revision or a later one.
 */
function looksModern(request: HttpRequest, body: Record<string, unknown>): boolean {
  const revision = versionHeader(request);
  if (revision !== undefined && revision >= modernRevision) return true;
  const { params } = body;
  return isRecord(params) && isRecord(params._meta) && metaKeys.protocolVersion in params._meta;
}

/** Decodes a header value of the form `=?base64?…?=`. */
function decodeHeader(value: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value.trim()) ?? [];
  return encoded === undefined ? value.trim() : Buffer.from(encoded, 'base64').toString('utf8');
}

/** The parameter that Mcp-Name repeats, for methods with a name or URI. */
const nameSources: Readonly<Record<string, 'name' | 'uri' | undefined>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The headers that the new revision requires for every request, for proxies that route by them. */
function checkHeaders({ headers }: HttpRequest, method: string, params: Readonly<Record<string, unknown>>): void {
  const headerFault = (header: string, reason: string) =>
    badRequest(rpcCodes.headerMismatch, `The header ${header} ${reason}.`, { mismatch: { header, body: method } });
  if (headers['mcp-protocol-version'] === undefined) throw headerFault('MCP-Protocol-Version', 'is missing');
  if (headers['mcp-method'] === undefined) throw headerFault('Mcp-Method', 'is missing');
  const bodyName = params[nameSources[method] ?? ''];
  if (typeof bodyName !== 'string') return;
  const name = headers['mcp-name'];
  if (name === undefined) throw headerFault('Mcp-Name', 'is missing');
  if (decodeHeader(name) !== bodyName) throw headerFault('Mcp-Name', `is not the ${nameSources[method]} of the body`);
}

function classifyModern(sdk: ModernSdk, request: HttpRequest, body: Record<string, unknown>): McpMessage | undefined {
  const { headers } = request;
  const classified = sdk.classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(headers['mcp-protocol-version'] === undefined
      ? {}
      : { protocolVersionHeader: headers['mcp-protocol-version'] }),
    ...(headers['mcp-method'] === undefined ? {} : { mcpMethodHeader: headers['mcp-method'] }),
    ...(headers['mcp-name'] === undefined ? {} : { mcpNameHeader: headers['mcp-name'] }),
  });
  if (classified.kind === 'reject')
    throw new RpcFault(classified.code, classified.message, { status: classified.httpStatus, data: classified.data });
  if (classified.kind === 'legacy') return undefined;
  const requested = classified.classification.revision;
  if (requested !== modernRevision) {
    throw badRequest(
      rpcCodes.unsupportedVersion,
      `This endpoint serves revision ${modernRevision}, and the revisions with initialize.`,
      {
        supported: [modernRevision],
        requested: requested ?? 'unknown',
      },
    );
  }
  if (classified.messageKind === 'notification') return { kind: 'acknowledged' };
  const message = classified.message as { id: string | number; method: string; params?: Record<string, unknown> };
  const params = message.params ?? {};
  checkHeaders(request, message.method, params);
  return { kind: 'request', era: 'modern', id: message.id, method: message.method, params };
}

/** Without the second SDK, the new revision is not supported; clients fall back to initialize. */
async function loadModern(sdks: SdkLoader, supported: readonly string[]): Promise<ModernSdk> {
  try {
    return await sdks.modern();
  } catch (error) {
    if (!(error instanceof MissingSdkError)) throw error;
    throw badRequest(rpcCodes.unsupportedVersion, error.message, { supported, requested: modernRevision });
  }
}

/** Classifies a body. @throws RpcFault, MissingSdkError */
export async function classify(sdks: SdkLoader, request: HttpRequest, body: unknown): Promise<McpMessage> {
  const legacy = await sdks.legacy();
  if (Array.isArray(body))
    throw badRequest(rpcCodes.invalidRequest, 'Batches are not supported. Send one message per request.');
  if (!isRecord(body))
    throw badRequest(
      rpcCodes.invalidRequest,
      'The body is not a JSON-RPC message: send an object with jsonrpc, id and method.',
    );
  if (looksModern(request, body)) {
    const message = classifyModern(await loadModern(sdks, legacy.SUPPORTED_PROTOCOL_VERSIONS), request, body);
    if (message !== undefined) return message;
  }
  if (legacy.isJSONRPCRequest(body)) {
    const revision = versionHeader(request);
    if (
      revision !== undefined &&
      body.method !== 'initialize' &&
      !legacy.SUPPORTED_PROTOCOL_VERSIONS.includes(revision)
    ) {
      const supported = [...legacy.SUPPORTED_PROTOCOL_VERSIONS, modernRevision].join(', ');
      throw badRequest(
        rpcCodes.refused,
        `Revision ${revision.slice(0, 50)} is not supported. Supported: ${supported}.`,
      );
    }
    return { kind: 'request', era: 'legacy', id: body.id, method: body.method, params: body.params ?? {} };
  }
  if (
    legacy.isJSONRPCNotification(body) ||
    legacy.isJSONRPCResultResponse(body) ||
    legacy.isJSONRPCErrorResponse(body)
  ) {
    return { kind: 'acknowledged' };
  }
  throw badRequest(
    rpcCodes.invalidRequest,
    'The body is not a JSON-RPC message: it needs jsonrpc "2.0", an id and a method.',
  );
}
