// Reads the whole body of a response, for tests that call service.dispatch themselves.
import { type HttpResponseBody, isStream } from '../../core/contract/http/http.ts';

/** All bytes of a response body. A stream is read to its end. */
export async function bodyBytes(body: HttpResponseBody): Promise<Buffer> {
  if (typeof body === 'string') return Buffer.from(body);
  if (!isStream(body)) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
