// The MCP endpoint, over stateless streamable HTTP. Serves both generations of the protocol at one URL, with plain JSON
// answers. Mounted by the kernel at POST /v1/mcp. Keeps nothing between requests and calls no handler directly.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isPostriderError } from '../contract/errors/errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { type Admission, admit } from '../pipeline/admit.ts';
import type { Core } from '../pipeline/core.ts';
import { readJsonBody } from '../projections/body.ts';
import { toRefusal } from '../projections/envelope.ts';
import { isRecord } from '../projections/schema-parts.ts';
import { classify } from './classify.ts';
import { metaKeys } from './exchange.ts';
import { codeOfRefusal, errorBody, RpcFault, type RpcId, resultBody, rpcCodes } from './json-rpc.ts';
import { createMethods } from './methods.ts';
import { createOriginCheck } from './origin.ts';
import { installedSdks, MissingSdkError, rememberSdks, type SdkLoader } from './sdk.ts';
import { clientName, readSession } from './session.ts';
import { toolEnvelope } from './tool-wording.ts';
import { createOptionsReader } from './url-options.ts';
import { createVisibility } from './visibility.ts';

/** The endpoint that the kernel mounts. */
export interface McpEndpoint {
  /** Answers one message. Never throws. */
  handle(request: HttpRequest, requestId: string): Promise<HttpResponse>;
}

const jsonType = 'application/json; charset=utf-8';

/** The parts of an answer that are known so far. A refusal uses them, too. */
interface Progress {
  id: RpcId;
  headers: Readonly<Record<string, string>>;
}

function respond(
  status: number,
  body: string | Uint8Array,
  requestId: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return {
    status,
    headers: { ...(body === '' ? {} : { 'Content-Type': jsonType }), 'X-Request-Id': requestId, ...headers },
    body,
  };
}

/**
 * Adds the client's name to the admission. With an OAuth grant, it is the name of the grant, because the client cannot choose that
 * name. Otherwise it is the name in this message, in the session id or in the User-Agent, in this order.
 */
function withClientName(
  core: Core,
  admission: Admission,
  request: HttpRequest,
  params: Readonly<Record<string, unknown>>,
): Admission {
  const { actor, byToken } = admission;
  if (byToken === true) return admission;
  const info = isRecord(params._meta) ? params._meta[metaKeys.clientInfo] : undefined;
  const sessionClient = () => readSession(core.ports.keyring, request.headers['mcp-session-id'], actor.keyId ?? '');
  const client = clientName(info) ?? sessionClient();
  return client === undefined ? admission : { ...admission, actor: { ...actor, client } };
}

function answerFailure(core: Core, error: unknown, requestId: string, { id, headers }: Progress): HttpResponse {
  if (error instanceof RpcFault)
    return respond(error.status, errorBody(id, error.code, error.message, error.data), requestId, headers);
  if (error instanceof MissingSdkError) {
    core.log.error({ request_id: requestId, cause: error.message }, 'the MCP endpoint cannot answer');
    return respond(501, errorBody(id, rpcCodes.internalError, error.message), requestId, headers);
  }
  const refusal = toRefusal(error, requestId);
  if (!isPostriderError(error)) {
    core.log.error(
      { request_id: requestId, cause: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'a tool request failed',
    );
  }
  const envelope = toolEnvelope(core.registry, refusal, requestId);
  const body = errorBody(id, codeOfRefusal(refusal), envelope.error.message, envelope);
  return respond(refusal.status, body, requestId, { ...headers, ...refusal.headers });
}

/** Makes the endpoint. The SDKs are loaded at the first authenticated request. */
export function createMcpEndpoint(core: Core, loader: SdkLoader = installedSdks): McpEndpoint {
  const sdks = rememberSdks(loader);
  const visibility = createVisibility(core.registry);
  const readOptions = createOptionsReader(visibility.areas);
  const checkOrigin = createOriginCheck(core);
  const answerMethod = createMethods(core, visibility);

  const serve = async (request: HttpRequest, requestId: string, progress: Progress): Promise<HttpResponse> => {
    if (request.method !== 'POST') {
      throw coreErrors.method_not_allowed(
        { method: request.method, allowed: ['POST'] },
        { headers: { Allow: 'POST' } },
      );
    }
    checkOrigin(request);
    const admission = await admit(core, { request, kind: 'mcp' });
    progress.headers = admission.headers;
    const sdk = await sdks.legacy();
    const body = await readJsonBody(request, core.settings.maxBodyBytes);
    if (isRecord(body) && (typeof body.id === 'string' || typeof body.id === 'number')) progress.id = body.id;
    const message = await classify(sdks, request, body);
    if (message.kind === 'acknowledged') return respond(202, '', requestId, progress.headers);
    const { era, id, method, params } = message;
    const exchange = {
      core,
      admission: withClientName(core, admission, request, params),
      requestId,
      http: request,
      era,
      id,
      method,
      params,
      options: readOptions(request.url),
    };
    const answer = await answerMethod(exchange, sdk);
    return respond(200, resultBody(id, answer.result), requestId, { ...progress.headers, ...answer.headers });
  };

  return {
    async handle(request, requestId) {
      const progress: Progress = { id: null, headers: {} };
      try {
        return await serve(request, requestId, progress);
      } catch (error) {
        return answerFailure(core, error, requestId, progress);
      }
    },
  };
}
