// Finds the time at which a message may arrive: outside of the quiet hours at the recipient's location. Called by every plugin
// with quiet hours. Pure, except for the time zones of Node's ICU.

import * as z from '../schemas/zod.ts';
import { localTime, offsetMsOf } from './local-time.ts';
import { memoised } from './memo.ts';

/** Hours in which nothing is sent, in the recipient's local time: `HH:MM`. If `from` is after `to`, they span midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time of day is HH:MM.');

/** The fields of quiet hours. */
export const quietHoursFields = { from: clockTime, to: clockTime } as const;

/** Quiet hours in settings and in calls. */
export const quietHoursSchema = z.strictObject(quietHoursFields).refine(({ from, to }) => from !== to, {
  path: ['to'],
  message: 'from and to are the same time. Give two times, or no quiet hours.',
});

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const horizonMs = 48 * 3_600_000;

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/**
 * Making a clock takes a tenth of a millisecond or more. Each spelling of a zone is cached, so the number of clocks is
 * limited.
 */
const maxZones = 1_000;

const clockOf = memoised(
  maxZones,
  (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);

/** Minutes since local midnight in a time zone. */
function localMinutes(zone: string, at: number): number {
  if (offsetMsOf(zone) !== undefined) return Math.floor(localTime(zone, at).ms / minuteMs);
  return minutesOf(clockOf(zone).format(at));
}

const isKnownZone = memoised(maxZones, (timeZone): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
});

/** Whether Node knows the name of a time zone (IANA). No zone has a name of more than 100 characters. */
export const isTimeZone = (name: string): boolean => name.length <= 100 && isKnownZone(name);

/** Newer engines have the method `getTimeZones` instead of the property `timeZones`. */
interface LocaleWithZones extends Intl.Locale {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[] | undefined;
}

const zonesOfCountries = new Map<string, readonly string[]>();

/** The time zones of a country; UTC if none is known. */
export function zonesOf(country: string | undefined): readonly string[] {
  if (country === undefined) return ['UTC'];
  let zones = zonesOfCountries.get(country);
  if (zones === undefined) {
    const locale: LocaleWithZones = new Intl.Locale(`und-${country}`);
    zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
    if (zones.length === 0) zones = ['UTC'];
    zonesOfCountries.set(country, zones);
  }
  return zones;
}

function isQuiet({ from, to }: QuietHours, zone: string, at: number): boolean {
  const [start, end, now] = [minutesOf(from), minutesOf(to), localMinutes(zone, at)];
  if (start === end) return false;
  return start < end ? now >= start && now < end : now >= start || now < end;
}

/**
 * When a message may be sent: `now` if it is outside of the quiet hours, else their end. With several time zones, it must be
 * outside of the quiet hours in all of them. If there is no such time, only the first zone counts.
 */
export function afterQuietHours(hours: QuietHours, zones: readonly string[], now: number): number {
  const search = (searchedZones: readonly string[], step: number): number | undefined => {
    if (!searchedZones.some((zone) => isQuiet(hours, zone, now))) return now;
    // Quiet hours end at whole minutes: check the steps after now, then the minutes before the first step that fits.
    for (let at = now - (now % step) + step; at <= now + horizonMs; at += step)
      if (!searchedZones.some((zone) => isQuiet(hours, zone, at))) {
        let first = at;
        for (let earlier = at - minuteMs; earlier > at - step && earlier > now; earlier -= minuteMs)
          if (!searchedZones.some((zone) => isQuiet(hours, zone, earlier))) first = earlier;
        return first;
      }
    return undefined;
  };
  const [first = 'UTC'] = zones;
  // If only a few minutes of the day are not quiet, no quarter hour may fit: search by minutes.
  return search(zones, quarterMs) ?? search([first], quarterMs) ?? search([first], minuteMs) ?? now;
}
