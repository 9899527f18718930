// A caller's extra headers: refused when malformed, stripped when they would harm or impersonate. Pure.
import type { ErrorDetail } from '../../core/index.ts';
import { lineFault } from '../../core/unstable.ts';
import { errors } from './errors.ts';

const exact = new Set(
  'bcc cc to from sender reply-to subject date message-id return-path received authentication-results mime-version list-id feedback-id disposition-notification-to x-confirm-reading-to return-receipt-to'.split(
    ' ',
  ),
);
const families = ['resent-', 'dkim-', 'arc-', 'content-', 'list-unsubscribe', 'x-ses-', 'x-sg-', 'x-pm-', 'x-mailgun-'];

// RFC 5322, section 3.6.8, narrowed to what every server takes.
const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,76}$/;
/** RFC 5322, section 2.1.1: what a line may hold. */
const maxValueLength = 998;

/** Headers that carry message ids and tokens are not encoded on the wire. */
const asciiOnly = new Set(['in-reply-to', 'references', 'otp-token']);

/** Why a value cannot go on the wire as it is, or undefined. */
function valueFault(name: string, value: string): string | undefined {
  if (value.length > maxValueLength) return `A header value has at most ${maxValueLength} characters.`;
  const fault = lineFault(value);
  if (fault !== undefined) return `The header value: ${fault}`;
  if (asciiOnly.has(name) && !/^[\x20-\x7e]*$/.test(value)) return 'This header holds ASCII only.';
  return undefined;
}

const denied = (name: string): boolean => exact.has(name) || families.some((family) => name.startsWith(family));

/** What goes on the wire, and the names of what does not. @throws header_invalid */
export function checkHeaders(headers: Readonly<Record<string, string>>): {
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
    } else if (denied(name.toLowerCase())) stripped.push(name);
    else kept[name] = value;
  }
  if (details.length > 0) throw errors.header_invalid({ details });
  return { kept, stripped };
}
