/**
 * The formats of a contract. Each test is linear in the text's length, and date formats check the calendar. Called by validator.ts, and
 * for URLs by compose-draft.ts, for texts only.
 */
import { isUnsafeUrl } from '../language/safe-url.ts';
import type { ContractFormat } from './node.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** RFC 5321's mailbox with a dot-atom and a domain name. Quoted local parts and address literals are not allowed. */
const EMAIL = new RegExp(
  `^[a-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@${LABEL}(?:\\.${LABEL})+$`,
  'i',
);
/** RFC 3986: a scheme, followed only by characters that need no encoding. */
const URI = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#@!$&'()*+,;=[\]]|%[0-9a-f]{2})*$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** RFC 3339. */
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i;
/** RFC 9562, any version. */
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const TEXT_LIMIT = 2_000;

/** Whether a text has a format. A URI that would run code does not have the format `uri`. */
export function hasFormat(format: ContractFormat, text: string): boolean {
  if (text.length > TEXT_LIMIT) return false;
  switch (format) {
    case 'email':
      return text.length <= 254 && text.indexOf('@') <= 64 && EMAIL.test(text);
    case 'uri':
      return URI.test(text) && !isUnsafeUrl(text);
    case 'date':
      return isDate(text);
    case 'date-time':
      return /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
    case 'uuid':
      return UUID.test(text);
  }
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1)
    return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}

function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (!match) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second occurs only at the end of a UTC day.
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === '-' ? -1 : 1);
  return (((hour * 60 + minute - offset) % 1440) + 1440) % 1440 === 1439;
}
