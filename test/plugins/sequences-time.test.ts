// Local time in sequences: tables of durations, times of day, ISO texts and zones, across clock changes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseIsoTime } from '../../core/contract/values/iso-time.ts';
import { parseDuration } from '../../plugins/sequences/definition/time-schemas.ts';
import { addDuration, nextClockTime } from '../../plugins/sequences/interpreter/calendar.ts';

const test = suite('local time in sequences');
const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

// [from, duration, zone, until]
const durations: readonly [string, string, string, string][] = [
  ['2026-01-10T09:00:00Z', 'PT2H', 'Europe/Vienna', '2026-01-10T11:00:00Z'],
  ['2026-01-10T09:00:00Z', 'P1D', 'UTC', '2026-01-11T09:00:00Z'],
  // The day of the clock change has 23 hours in March and 25 on October 25.
  ['2026-03-28T09:00:00Z', 'P1D', 'Europe/Vienna', '2026-03-29T08:00:00Z'],
  ['2026-03-28T09:00:00Z', 'PT24H', 'Europe/Vienna', '2026-03-29T09:00:00Z'],
  ['2026-10-24T08:00:00Z', 'P1D', 'Europe/Vienna', '2026-10-25T09:00:00Z'],
  ['2026-10-24T08:00:00Z', 'P1W', 'Europe/Vienna', '2026-10-31T09:00:00Z'],
  // 02:30 does not exist on March 29 in Vienna: the result is 03:00 local time, 01:00 UTC.
  ['2026-03-28T01:30:00Z', 'P1D', 'Europe/Vienna', '2026-03-29T01:00:00Z'],
  // 02:30 exists twice on October 25: the first one, in summer time, is used.
  ['2026-10-24T00:30:00Z', 'P1D', 'Europe/Vienna', '2026-10-25T00:30:00Z'],
  // The calendar part is added first, then the hours as exact time.
  ['2026-03-28T01:30:00Z', 'P1DT1H', 'Europe/Vienna', '2026-03-29T02:00:00Z'],
  ['2026-03-07T20:00:00Z', 'P1DT1H', 'America/New_York', '2026-03-08T20:00:00Z'],
  ['2026-01-31T12:00:00Z', 'P1M', 'UTC', '2026-02-28T12:00:00Z'],
  ['2028-01-31T12:00:00Z', 'P1M', 'UTC', '2028-02-29T12:00:00Z'],
  ['2028-02-29T12:00:00Z', 'P1Y', 'UTC', '2029-02-28T12:00:00Z'],
  ['0004-01-31T12:00:00Z', 'P1M', 'UTC', '0004-02-29T12:00:00Z'],
  ['2026-12-31T12:00:00Z', 'P2M', 'UTC', '2027-02-28T12:00:00Z'],
  ['2026-01-31T12:00:00Z', 'P1M1D', 'UTC', '2026-03-01T12:00:00Z'],
  ['2026-03-31T12:00:00Z', '-P1M', 'UTC', '2026-02-28T12:00:00Z'],
  ['2026-01-01T12:00:00Z', '-P1D', 'UTC', '2025-12-31T12:00:00Z'],
  ['2026-01-01T12:00:00Z', '-P1M', 'UTC', '2025-12-01T12:00:00Z'],
  ['2026-01-01T12:00:00Z', '-PT90M', 'UTC', '2026-01-01T10:30:00Z'],
  // In Vienna it is already February 1.
  ['2026-01-31T23:30:00Z', 'P1M', 'Europe/Vienna', '2026-02-28T23:30:00Z'],
  // Samoa had no December 30, 2011.
  ['2011-12-29T22:00:00Z', 'P1D', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
  // Summer time differs by half an hour here.
  ['2026-10-03T04:00:00Z', 'P1D', 'Australia/Lord_Howe', '2026-10-04T03:30:00Z'],
  ['2026-05-05T05:05:05Z', 'PT0S', 'Asia/Kathmandu', '2026-05-05T05:05:05Z'],
];
for (const [from, text, zone, until] of durations)
  test(`${from} + ${text} in ${zone}`, () => {
    const parts = parseDuration(text);
    assert.ok(parts);
    assert.is(iso(addDuration(Date.parse(from), parts, zone)), until);
  });

// [from, time, weekdays, zone, next]
const times: readonly [string, string, string[] | undefined, string, string][] = [
  ['2026-01-10T07:59:59Z', '09:00', undefined, 'Europe/Vienna', '2026-01-10T08:00:00Z'],
  ['2026-01-10T08:00:00Z', '09:00', undefined, 'Europe/Vienna', '2026-01-11T08:00:00Z'],
  ['2026-01-10T08:00:00Z', '09:00', ['mon', 'tue'], 'Europe/Vienna', '2026-01-12T08:00:00Z'],
  ['2026-01-12T08:00:00Z', '09:00', ['mon'], 'Europe/Vienna', '2026-01-19T08:00:00Z'],
  ['2026-01-11T23:30:00Z', '00:45', ['mon'], 'Europe/Vienna', '2026-01-11T23:45:00Z'],
  ['2026-03-28T12:00:00Z', '02:30', undefined, 'Europe/Vienna', '2026-03-29T01:00:00Z'],
  ['2026-10-24T12:00:00Z', '02:30', undefined, 'Europe/Vienna', '2026-10-25T00:30:00Z'],
  // The second 02:30 of this night does not count.
  ['2026-10-25T00:30:00Z', '02:30', undefined, 'Europe/Vienna', '2026-10-26T01:30:00Z'],
  ['2026-01-10T23:00:00Z', '00:00', undefined, 'America/Los_Angeles', '2026-01-11T08:00:00Z'],
  // Midnight does not exist on the day when summer time begins at midnight.
  ['2026-09-05T12:00:00Z', '00:00', undefined, 'America/Santiago', '2026-09-06T04:00:00Z'],
];
for (const [from, time, weekdays, zone, next] of times)
  test(`after ${from}: ${time} ${weekdays?.join(' ') ?? ''} in ${zone}`, () => {
    assert.is(iso(nextClockTime(Date.parse(from), { time, weekdays }, zone)), next);
  });

const texts: readonly [string, string, string | undefined][] = [
  ['2026-03-01T10:00:00Z', 'Europe/Vienna', '2026-03-01T10:00:00Z'],
  ['2026-03-01T10:00:00+05:30', 'UTC', '2026-03-01T04:30:00Z'],
  ['2026-03-01T10:00', 'Europe/Vienna', '2026-03-01T09:00:00Z'],
  ['2026-03-01', 'America/New_York', '2026-03-01T05:00:00Z'],
  ['2026-03-29T02:30', 'Europe/Vienna', '2026-03-29T01:00:00Z'],
  ['2026-02-29', 'UTC', undefined],
  ['2028-02-29', 'UTC', '2028-02-29T00:00:00Z'],
  ['2026-13-01', 'UTC', undefined],
  ['2026-01-01T24:00', 'UTC', undefined],
  ['1 March 2026', 'UTC', undefined],
  // A timestamp of PostgreSQL, and the smallest date in .NET
  ['2026-03-01 10:00:00.5+00', 'Europe/Vienna', '2026-03-01T10:00:00.500Z'],
  ['2026-03-01T10:00:00-03', 'UTC', '2026-03-01T13:00:00Z'],
  ['2026-03-01T10:00:00+2', 'UTC', undefined],
  ['0001-01-01T00:00:00', 'UTC', '0001-01-01T00:00:00Z'],
  ['0099-12-31T12:00', '+02:00', '0099-12-31T10:00:00Z'],
  ['0099-12-31T12:00', 'Etc/GMT-2', '0099-12-31T10:00:00Z'],
  ['0004-02-29', 'UTC', '0004-02-29T00:00:00Z'],
  ['0000-01-01', 'UTC', undefined],
  // A leap second
  ['2016-12-31T23:59:60Z', 'UTC', '2017-01-01T00:00:00Z'],
  ['2017-01-01T05:29:60+05:30', 'UTC', '2017-01-01T00:00:00Z'],
  ['2016-12-31T23:59:61Z', 'UTC', undefined],
];
for (const [text, zone, moment] of texts)
  test(`${text} in ${zone}`, () => {
    const at = parseIsoTime(text, zone);
    assert.is(at === undefined ? undefined : iso(at), moment);
  });

test('invalid durations are refused', () => {
  for (const text of ['', 'P', 'PT', '1D', 'P1H', 'PT1D', 'P1.5D', 'P1D ', 'p1d', '+P1D', 'P-1D'])
    assert.is(parseDuration(text), undefined, text);
});

test.run();
