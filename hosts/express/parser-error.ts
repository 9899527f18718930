// Translates the error of an earlier body parser of the program, so that the service can respond to it. Called by index.ts only.
import { coreErrors, type HttpRequestBody } from '../../core/index.ts';
import { refusedBody } from '../node/body.ts';

/** The fields of a body parser's error. */
interface ParserError {
  readonly type: string;
  /** The text that is not JSON. */
  readonly body?: unknown;
  /** The parser's limit in bytes. */
  readonly limit?: unknown;
  readonly charset?: unknown;
}

const isParserError = (error: unknown): error is ParserError =>
  typeof error === 'object' && error !== null && typeof (error as { type?: unknown }).type === 'string';

/** The body that an earlier parser rejected, so that the service responds with its own error. Undefined for other errors. */
export function bodyOfParserError(error: unknown, limit: number): HttpRequestBody {
  if (!isParserError(error)) return undefined;
  switch (error.type) {
    case 'entity.parse.failed':
      return typeof error.body === 'string' ? error.body : undefined;
    case 'entity.too.large': {
      const minLength = typeof error.limit === 'number' ? Math.min(error.limit, limit) : limit;
      return refusedBody(coreErrors.payload_too_large({ limit: minLength }));
    }
    case 'charset.unsupported':
      return refusedBody(coreErrors.media_type_unsupported({ received: `with the charset ${String(error.charset)}` }));
    case 'stream.not.readable':
      return refusedBody(coreErrors.body_already_consumed());
    default:
      return undefined;
  }
}
