// A caller's extra headers: refused if malformed, stripped if they could do harm or impersonate. Pure.
import type { ErrorDetail } from '../../../core/index.ts';
import { lineFault } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { isReservedHeader } from '../port/index.ts';

// RFC 5322, section 3.6.8, restricted to names that every server accepts.
const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,76}$/;
/** The maximum length of a value: RFC 5322, section 2.1.1, limits a line to 998 characters. */
const maxValueLength = 998;

/** Headers that carry message ids and tokens are not encoded on the wire. */
const asciiOnly = new Set(['in-reply-to', 'references', 'otp-token']);

/** The reason why a value cannot be sent as it is; undefined if it can. */
function valueFault(name: string, value: string): string | undefined {
  if (value.length > maxValueLength) return `A header value must not be longer than ${maxValueLength} characters.`;
  const fault = lineFault(value);
  if (fault !== undefined) return `The header value: ${fault}`;
  if (asciiOnly.has(name) && !/^[\x20-\x7e]*$/.test(value)) return 'This header may contain ASCII characters only.';
  return undefined;
}

/**
 * The accepted headers, and the names of the stripped headers. @throws header_invalid
 * @param reserved additional names that the adapter reserves
 */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  reserved: readonly string[] | undefined,
): {
  kept: Record<string, string>;
  stripped: string[];
} {
  const details: ErrorDetail[] = [];
  const kept: Record<string, string> = {};
  const stripped: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const fault = valueFault(name.toLowerCase(), value);
    const path = `headers.${name.slice(0, 100)}`;
    if (!nameForm.test(name) || name.toLowerCase() === '__proto__') {
      details.push({ path, code: 'header_name', message: 'A header name has 1 to 76 letters, digits and hyphens.' });
    } else if (fault !== undefined) {
      details.push({ path, code: 'header_value', message: fault });
    } else if (isReservedHeader(name, reserved)) stripped.push(name);
    else kept[name] = value;
  }
  if (details.length > 0) throw errors.header_invalid({ details });
  return { kept, stripped };
}
