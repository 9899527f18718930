// The next time at which marketing mail may reach a person: quiet hours and weekdays at clock changes, in zones with half hours, and at
// the date line.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSendingTime, type SendingHours, weekdayNames } from '../../core/contract/values/sending-hours.ts';

const test = suite('sending hours');
const night: SendingHours = { quietHours: { from: '21:00', to: '08:00' }, weekdays: weekdayNames };
const until = (to: string, from = '22:00'): SendingHours => ({ quietHours: { from, to }, weekdays: weekdayNames });
const on = (...weekdays: SendingHours['weekdays']): SendingHours => ({ quietHours: null, weekdays });
const working: SendingHours = { ...night, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] };

/** Title, hours, zone, the moment in question, and the next time. */
const cases: readonly (readonly [string, SendingHours, string, string, string])[] = [
  ['by day, at once', night, 'Europe/Vienna', '2026-11-24T11:00:00Z', '2026-11-24T11:00:00Z'],
  ['by night, at their end', night, 'Europe/Vienna', '2026-11-24T22:15:00Z', '2026-11-25T07:00:00Z'],
  ['the first quiet moment', night, 'Europe/Vienna', '2026-11-24T20:00:00Z', '2026-11-25T07:00:00Z'],
  ['the last moment before', night, 'Europe/Vienna', '2026-11-24T19:59:59.999Z', '2026-11-24T19:59:59.999Z'],
  // Vienna: 29 March 2026, 02:00 becomes 03:00.
  [
    'the end lies in the gap of spring',
    until('02:30'),
    'Europe/Vienna',
    '2026-03-29T00:30:00Z',
    '2026-03-29T01:00:00Z',
  ],
  ['the night of spring is an hour shorter', night, 'Europe/Vienna', '2026-03-28T21:00:00Z', '2026-03-29T06:00:00Z'],
  // Vienna: 25 October 2026, 03:00 becomes 02:00.
  ['the end occurs twice: the first', until('02:30'), 'Europe/Vienna', '2026-10-24T22:00:00Z', '2026-10-25T00:30:00Z'],
  ['in the second double hour', until('02:30'), 'Europe/Vienna', '2026-10-25T01:10:00Z', '2026-10-25T01:30:00Z'],
  ['the night of autumn is an hour longer', night, 'Europe/Vienna', '2026-10-24T20:00:00Z', '2026-10-25T07:00:00Z'],
  // New York: 8 March 2026, 02:00 becomes 03:00.
  ['the gap of New York', until('02:15'), 'America/New_York', '2026-03-08T06:30:00Z', '2026-03-08T07:00:00Z'],
  ['a zone with half hours', night, 'Asia/Kolkata', '2026-11-24T20:00:00Z', '2026-11-25T02:30:00Z'],
  ['a zone with quarter hours', night, 'Asia/Kathmandu', '2026-11-24T20:00:00Z', '2026-11-25T02:15:00Z'],
  // Lord Howe: 5 April 2026, 02:00 becomes 01:30.
  [
    'a clock change of half an hour',
    until('01:45'),
    'Australia/Lord_Howe',
    '2026-04-04T14:00:00Z',
    '2026-04-04T14:45:00Z',
  ],
  ['an offset instead of a zone', night, '+05:45', '2026-11-24T20:00:00Z', '2026-11-25T02:15:00Z'],
  // Beirut: 29 March 2026, 00:00 becomes 01:00.
  ['a day that begins at one', on('sun'), 'Asia/Beirut', '2026-03-28T12:00:00Z', '2026-03-28T22:00:00Z'],
  ['Friday night waits for Monday', working, 'Europe/Vienna', '2026-11-27T21:00:00Z', '2026-11-30T07:00:00Z'],
  ['Saturday noon waits for Monday', working, 'Europe/Vienna', '2026-11-28T11:00:00Z', '2026-11-30T07:00:00Z'],
  ['Friday evening before the night', working, 'Europe/Vienna', '2026-11-27T19:00:00Z', '2026-11-27T19:00:00Z'],
  ['the day is the recipient’s', on('mon'), 'Pacific/Kiritimati', '2026-11-29T11:00:00Z', '2026-11-29T11:00:00Z'],
  ['and elsewhere it is Sunday still', on('mon'), 'Pacific/Pago_Pago', '2026-11-29T11:00:00Z', '2026-11-30T11:00:00Z'],
  // Samoa had no Friday 30 December 2011.
  ['a day that did not exist', on('fri'), 'Pacific/Apia', '2011-12-30T08:00:00Z', '2012-01-05T10:00:00Z'],
  ['the day after it', on('sat'), 'Pacific/Apia', '2011-12-30T08:00:00Z', '2011-12-30T10:00:00Z'],
];

for (const [title, hours, zone, at, expected] of cases)
  test(title, () => {
    assert.is(new Date(nextSendingTime(hours, zone, Date.parse(at))).toISOString(), new Date(expected).toISOString());
  });

test('the next time is never earlier, is itself allowed, and no allowed minute lies before it', () => {
  for (const zone of ['Europe/Vienna', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe'])
    for (let at = Date.parse('2026-10-23T00:00:00Z'); at < Date.parse('2026-10-28T00:00:00Z'); at += 97 * 60_000) {
      const next = nextSendingTime(working, zone, at);
      assert.ok(next >= at);
      assert.is(nextSendingTime(working, zone, next), next);
      for (let before = at; before < next; before += 61 * 60_000)
        assert.is(nextSendingTime(working, zone, before), next, `${zone} ${new Date(before).toISOString()}`);
    }
});

test.run();
