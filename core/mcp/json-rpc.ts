// JSON-RPC 2.0 answers as bytes, and faults as values. Used by the files of the tool endpoint only.
// https://www.jsonrpc.org/specification
import type { PostriderError } from '../contract/errors.ts';
import { errorEnvelope } from '../projections/envelope.ts';

/** The id of a request; null where a fault has none. */
export type RpcId = string | number | null;

/** The codes that the endpoint answers with. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Refused, and no fault of the protocol: the envelope in `data` says why. */
  refused: -32000,
  /** Up to 2025-11-25; later revisions call it an invalid parameter. */
  resourceNotFound: -32002,
  /** The headers and the body disagree (revision 2026-07-28). */
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A fault of the protocol, thrown up to the endpoint. */
export class RpcFault extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  /** `status`: of the HTTP answer. (Default: 200, a fault in the answer) */
  constructor(code: number, message: string, extras: { readonly status?: number; readonly data?: unknown } = {}) {
    super(message);
    this.name = 'RpcFault';
    this.code = code;
    this.status = extras.status ?? 200;
    this.data = extras.data;
  }
}

/** The code of a refusal that a fault carries. */
export const codeOfRefusal = ({ code, status }: PostriderError): number => {
  if (code === 'json_invalid') return rpcCodes.parseError;
  return status >= 500 ? rpcCodes.internalError : rpcCodes.refused;
};

/** A refusal of the pipeline as a fault in the answer, for methods whose results have no place for errors. */
export const refusalFault = (refusal: PostriderError, requestId: string, more: object = {}): RpcFault =>
  new RpcFault(codeOfRefusal(refusal), refusal.message, { data: { ...more, ...errorEnvelope(refusal, requestId) } });

/** A result that is JSON already: a text, or bytes in parts where it is long. */
export type ResultJson = string | readonly Uint8Array[];

/** The answer around a result. */
export function resultBody(id: RpcId, result: ResultJson): string | Uint8Array {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return typeof result === 'string' ? `${head}${result}}` : Buffer.concat([Buffer.from(head), ...result, closing]);
}

const closing = Buffer.from('}');

/** An error answer. */
export const errorBody = (id: RpcId, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
