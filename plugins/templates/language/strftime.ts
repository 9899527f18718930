/**
 * Formats dates as Ruby's strftime does, with all of its directives, flags and widths. Called by own-filters.ts with the
 * parts of a date; it reads no clock. Names of months and days are English.
 */

/** A date in its own time zone. */
export interface DateParts {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes east of UTC. */
  readonly offset: number;
  /** The name of the time zone, or its offset if it has no name. */
  readonly zone: string;
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const DAY_MS = 86_400_000;
/** Wider fields are cut, so that a format cannot decide how much memory a date takes. */
const WIDTH_LIMIT = 100;

/** The days since 1970; `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.floor(date.getTime() / DAY_MS);
}

const weekday = (days: number): number => (((days + 4) % 7) + 7) % 7;

/** The week and its year, by ISO 8601: a week belongs to the year of its Thursday. */
function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - ((weekday(days) + 6) % 7) + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  return { year, week: Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1 };
}

/** Directives that are short for a longer format. */
const FORMATS: Readonly<Record<string, string>> = {
  ...{ D: '%m/%d/%y', x: '%m/%d/%y', F: '%Y-%m-%d', R: '%H:%M', T: '%H:%M:%S', X: '%H:%M:%S', r: '%I:%M:%S %p' },
  ...{ c: '%a %b %e %H:%M:%S %Y', v: '%e-%^b-%Y', '+': '%a %b %e %H:%M:%S %Z %Y' },
};

/** The directives that accept a modifier. A modifier asks for a locale's calendar; it is accepted and has no effect. */
const MODIFIED: Readonly<Record<string, string>> = { E: 'cCxXyY', O: 'deHkIlmMSuUVwWy' };

interface Field {
  readonly value: string | number;
  readonly width?: number;
  readonly pad?: '0' | ' ';
}

const number = (value: number, width: number, pad: Field['pad'] = '0'): Field => ({ value, width, pad });

function fieldOf(sign: string, date: DateParts): Field | undefined {
  const days = dayNumber(date.year, date.month, date.day);
  const dayOfYear = days - dayNumber(date.year, 1, 1);
  const day = weekday(days);
  const twelve = date.hour % 12 || 12;
  switch (sign) {
    case 'Y':
      return number(date.year, date.year < 0 ? 5 : 4);
    case 'C':
      return number(Math.floor(date.year / 100), 2);
    case 'y':
      return number(((date.year % 100) + 100) % 100, 2);
    case 'm':
      return number(date.month, 2);
    case 'B':
      return { value: MONTHS[date.month - 1] ?? '' };
    case 'b':
    case 'h':
      return { value: (MONTHS[date.month - 1] ?? '').slice(0, 3) };
    case 'd':
      return number(date.day, 2);
    case 'e':
      return number(date.day, 2, ' ');
    case 'j':
      return number(dayOfYear + 1, 3);
    case 'H':
      return number(date.hour, 2);
    case 'k':
      return number(date.hour, 2, ' ');
    case 'I':
      return number(twelve, 2);
    case 'l':
      return number(twelve, 2, ' ');
    case 'P':
      return { value: date.hour < 12 ? 'am' : 'pm' };
    case 'p':
      return { value: date.hour < 12 ? 'AM' : 'PM' };
    case 'M':
      return number(date.minute, 2);
    case 'S':
      return number(date.second, 2);
    case 'A':
      return { value: DAYS[day] ?? '' };
    case 'a':
      return { value: (DAYS[day] ?? '').slice(0, 3) };
    case 'u':
      return number(day || 7, 1);
    case 'w':
      return number(day, 1);
    case 'G':
      return number(isoWeek(days).year, 4);
    case 'g':
      return number(isoWeek(days).year % 100, 2);
    case 'V':
      return number(isoWeek(days).week, 2);
    case 'U':
      return number(Math.floor((dayOfYear + 7 - day) / 7), 2);
    case 'W':
      return number(Math.floor((dayOfYear + 7 - ((day + 6) % 7)) / 7), 2);
    case 's':
    case 'Q': {
      const minutes = date.hour * 60 + date.minute - date.offset;
      const seconds = days * 86_400 + minutes * 60 + date.second;
      return number(sign === 's' ? seconds : seconds * 1000 + date.millisecond, 1);
    }
    case 'Z':
      return { value: date.zone };
    case 'n':
      return { value: '\n' };
    case 't':
      return { value: '\t' };
    case '%':
      return { value: '%' };
    default:
      return undefined;
  }
}

/** `+0200`, `+02:00` or `+02:00:00`; with three colons, the shortest form that fits. */
function offsetOf({ offset }: DateParts, colons: number): { readonly sign: string; readonly digits: string } {
  const sign = offset < 0 ? '-' : '+';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  if (colons === 3) return { sign, digits: minutes === '00' ? `${hours}` : `${hours}:${minutes}` };
  return { sign, digits: [hours, minutes, ...(colons === 2 ? ['00'] : [])].join(colons > 0 ? ':' : '') };
}

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

function padded(text: string, width: number, pad: string): string {
  if (pad === '0' && text.startsWith('-')) return `-${text.slice(1).padStart(width - 1, '0')}`;
  return text.padStart(width, pad);
}

/** Formats a date. Text that is not a directive stays as it is. */
export function strftime(date: DateParts, format: string, depth = 0): string {
  return format.replace(
    /%([-0^#_]*)(\d*)(:{0,3})([EO]?)([a-zA-Z%+])/g,
    (whole, flags, digits, colons, modifier, sign) => {
      const width = Math.min(Number(digits || 0), WIDTH_LIMIT);
      const flag = (one: string): boolean => String(flags).includes(one);
      const padFlag = [...String(flags)].findLast((one) => one === '0' || one === '_');
      const cased = (text: string): string =>
        flag('#') && !isFormat ? swapCase(text) : flag('^') ? text.toUpperCase() : text;
      const isFormat = Object.hasOwn(FORMATS, sign);
      const finish = (text: string, least: number, pad: string): string =>
        cased(flag('-') ? text : padded(text, width || least, padFlag === '_' ? ' ' : (padFlag ?? pad)));
      if ((colons !== '' && sign !== 'z') || (modifier !== '' && !MODIFIED[modifier]?.includes(sign))) return whole;
      if (sign === 'z') {
        const { sign: plus, digits: shown } = offsetOf(date, String(colons).length);
        const rest = padFlag === '_' ? shown.replace(/^0/, '') : shown;
        return padFlag === '_'
          ? (plus + rest).padStart(Math.max(width, 1 + shown.length), ' ')
          : plus + shown.padStart(width - 1, '0');
      }
      if (sign === 'L' || sign === 'N') {
        const places = width || (sign === 'L' ? 3 : 9);
        return String(date.millisecond).padStart(3, '0').padEnd(places, '0').slice(0, places);
      }
      const other = isFormat ? FORMATS[sign] : undefined;
      if (other !== undefined && depth === 0) return finish(strftime(date, other, 1), 0, ' ');
      const field = fieldOf(sign, date);
      if (field === undefined) return whole;
      return finish(String(field.value), field.width ?? 0, field.pad ?? ' ');
    },
  );
}
