// Reads a request's JSON body up to the limit, whatever form the host hands it over in. Called by rest.ts and the tool endpoint.
import { coreErrors } from '../contract/core-errors.ts';
import type { HttpRequest } from '../contract/http.ts';
import { maxValues, tooManyValues } from '../pipeline/raw-faults.ts';
import { validationFailed } from '../pipeline/validate.ts';
import { holdsTooMuch } from './json-size.ts';

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

/** The raw bytes, refused as soon as they pass the limit. */
async function readBytes(request: HttpRequest, limit: number): Promise<Uint8Array | string> {
  const { body } = request;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw coreErrors.payload_too_large({ limit });
  if (body === undefined) return '';
  if (typeof body === 'string') {
    if (Buffer.byteLength(body) > limit) throw coreErrors.payload_too_large({ limit });
    return body;
  }
  if (body instanceof Uint8Array) {
    if (body.byteLength > limit) throw coreErrors.payload_too_large({ limit });
    return body;
  }
  if (Symbol.asyncIterator in body) return collect(body, limit);
  return '';
}

/** Where the text stops being JSON. Never what stands there: the engine's own message quotes the body. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return 'it is not UTF-8 text.';
  const position = /at position (\d+)/.exec(cause.message)?.[1];
  return position === undefined ? 'it ends too early, or begins with something else.' : `look at position ${position}.`;
}

/** Values around those of an input that is a part of the body. */
const envelopeValues = 100;

function parseJson(bytes: Uint8Array | string): unknown {
  if (holdsTooMuch(bytes, maxValues + envelopeValues)) throw validationFailed([tooManyValues]);
  try {
    return JSON.parse(typeof bytes === 'string' ? bytes : decoder.decode(bytes));
  } catch (cause) {
    throw coreErrors.json_invalid({ reason: reasonOf(cause) });
  }
}

/** The parsed body; undefined when there is none. @throws json_invalid, payload_too_large, media_type_unsupported, validation_failed */
export async function readJsonBody(request: HttpRequest, limit: number): Promise<unknown> {
  const { body, headers } = request;
  if (typeof body === 'object' && 'parsed' in body) return body.parsed;
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return undefined;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[a-z0-9.-]+\+json$/.test(type)) {
    throw coreErrors.media_type_unsupported({ given: type === '' ? '(none)' : type.slice(0, 100) });
  }
  return parseJson(bytes);
}
