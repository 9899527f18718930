// JSON-RPC 2.0 answers as bytes, and faults as values. Used by the files of the MCP endpoint only.
// https://www.jsonrpc.org/specification
import type { PostriderError } from '../contract/errors/errors.ts';
import { errorEnvelope } from '../projections/envelope.ts';

/** The id of a request; null for a fault without an id. */
export type RpcId = string | number | null;

/** The codes in the endpoint's error answers. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** A refusal of the pipeline, not a protocol fault: the envelope in `data` has the reason. */
  refused: -32000,
  /** For revisions up to 2025-11-25; later revisions use the code of invalid parameters. */
  resourceNotFound: -32002,
  /** The headers differ from the body (revision 2026-07-28). */
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A protocol fault, thrown up to the endpoint. */
export class RpcFault extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  /** `status`: the HTTP status. (Default: 200, with the fault in the body) */
  constructor(code: number, message: string, extras: { readonly status?: number; readonly data?: unknown } = {}) {
    super(message);
    this.name = 'RpcFault';
    this.code = code;
    this.status = extras.status ?? 200;
    this.data = extras.data;
  }
}

/** The JSON-RPC code of a refusal. */
export const codeOfRefusal = ({ code, status }: PostriderError): number => {
  if (code === 'json_invalid') return rpcCodes.parseError;
  return status >= 500 ? rpcCodes.internalError : rpcCodes.refused;
};

/** A refusal of the pipeline as a fault, for methods whose results have no member for errors. */
export const refusalFault = (refusal: PostriderError, requestId: string, extraFields: object = {}): RpcFault =>
  new RpcFault(codeOfRefusal(refusal), refusal.message, {
    data: { ...extraFields, ...errorEnvelope(refusal, requestId) },
  });

/** A result in JSON form: a text, or bytes in parts if it is long. */
export type ResultJson = string | readonly Uint8Array[];

/** The answer that contains a result. */
export function resultBody(id: RpcId, result: ResultJson): string | Uint8Array {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return typeof result === 'string' ? `${head}${result}}` : Buffer.concat([Buffer.from(head), ...result, closing]);
}

const closing = Buffer.from('}');

/** An error answer. */
export const errorBody = (id: RpcId, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
