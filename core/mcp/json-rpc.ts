// JSON-RPC 2.0 answers as bytes, and faults as values. Used by the files of the tool endpoint only.
// https://www.jsonrpc.org/specification

/** The id of a request; null where a fault has none. */
export type RpcId = string | number | null;

/** The codes that the endpoint answers with. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Refused before the protocol began: the envelope in `data` says why. */
  refused: -32000,
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

/** A result that is JSON text already. */
export const resultBody = (id: RpcId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** An error answer. */
export const errorBody = (id: RpcId, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
