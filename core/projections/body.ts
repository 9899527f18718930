// Reads a request's body up to the limit, in every form that a host passes, and parses JSON. Called by rest.ts, the
// MCP endpoint, and request-body.ts for public routes.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { isPostriderError } from '../contract/errors/errors.ts';
import type { HttpRequest, HttpRequestBody } from '../contract/http/http.ts';
import { maxValues, tooManyValues } from '../pipeline/raw-faults.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { hasTooManyValues } from './json-size.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

async function collect(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > limit) throw coreErrors.payload_too_large({ limit });
    chunks.push(chunk);
  }
  return chunks.length === 1 ? Buffer.from(chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** Whether a parser of the program has already read the body. */
export const isParsed = (body: HttpRequestBody): body is { readonly parsed: unknown } =>
  typeof body === 'object' && 'parsed' in body;

/**
 * The body as it arrived, refused as soon as it exceeds the limit; empty if there is none.
 * @throws payload_too_large, body_already_parsed, body_already_consumed
 */
export async function readBytes(request: HttpRequest, limit: number): Promise<Uint8Array | string> {
  const { body } = request;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw coreErrors.payload_too_large({ limit });
  if (body === undefined) return '';
  if (isParsed(body)) throw coreErrors.body_already_parsed();
  if (typeof body === 'string') {
    if (Buffer.byteLength(body) > limit) throw coreErrors.payload_too_large({ limit });
    return body;
  }
  if (body instanceof Uint8Array) {
    if (body.byteLength > limit) throw coreErrors.payload_too_large({ limit });
    return body;
  }
  return collect(body, limit);
}

/** An additional media type for readJsonBody: all types that end with `+json`. */
export const anyJson = '*+json';
const anyJsonPattern = /^application\/[a-z0-9.-]+\+json$/;

/** The media type of a body in lower case, without parameters; empty if none is given. */
export const mediaTypeOf = ({ headers }: Pick<HttpRequest, 'headers'>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A 415 that names the accepted types. */
export const unsupportedType = (request: Pick<HttpRequest, 'headers'>, accepted: string): Error => {
  const type = mediaTypeOf(request);
  return coreErrors.media_type_unsupported({ received: type === '' ? '(none)' : type.slice(0, 100), accepted });
};

function checkJsonType(request: HttpRequest, additionalTypes: readonly string[]): void {
  const type = mediaTypeOf(request);
  if (
    type !== 'application/json' &&
    !additionalTypes.includes(type) &&
    !(additionalTypes.includes(anyJson) && anyJsonPattern.test(type))
  )
    throw unsupportedType(request, 'application/json');
}

/** The position of the syntax error. Never contains the text there: the engine's own message quotes the body. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return 'it is not UTF-8 text.';
  const position = /at position (\d+)/.exec(cause.message)?.[1];
  return position === undefined ? 'it ends too early, or begins with something else.' : `look at position ${position}.`;
}

/** The number of values that a body may contain in addition to the input, for an envelope around it such as JSON-RPC. */
const envelopeValues = 100;

/** Parses JSON. @throws json_invalid, validation_failed for too many values */
function parseJson(bytes: Uint8Array | string): unknown {
  if (hasTooManyValues(bytes, maxValues + envelopeValues)) throw validationFailed([tooManyValues]);
  try {
    return JSON.parse(typeof bytes === 'string' ? bytes : decoder.decode(bytes));
  } catch (cause) {
    throw coreErrors.json_invalid({ reason: reasonOf(cause) });
  }
}

/**
 * The parsed body; undefined if there is none. `read` returns its bytes, `types` are media types that are accepted in addition
 * to application/json.
 * @throws json_invalid, payload_too_large, media_type_unsupported, validation_failed
 */
export async function readJsonBody(
  request: HttpRequest,
  limit: number,
  types: readonly string[] = [],
  read: () => Promise<Uint8Array | string> = () => readBytes(request, limit),
): Promise<unknown> {
  const { body } = request;
  if (isParsed(body)) {
    checkJsonType(request, types);
    return body.parsed;
  }
  try {
    const bytes = await read();
    if (bytes.length === 0) return undefined;
    checkJsonType(request, types);
    return parseJson(bytes);
  } catch (error) {
    // If the consumed body was not JSON, the caller's mistake is reported before the program's.
    if (isPostriderError(error, 'body_already_consumed')) checkJsonType(request, types);
    throw error;
  }
}
