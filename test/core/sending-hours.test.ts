// The next time at which marketing mail may reach a person: quiet hours and weekdays, at clock changes, in zones with half hours, and at
// the date line
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSendingTime, type SendingHours, weekdayNames } from '../../core/contract/values/sending-hours.ts';

const test = suite('sending hours');
const night: SendingHours = { quietHours: { from: '21:00', to: '08:00' }, weekdays: weekdayNames };
const until = (to: string, from = '22:00'): SendingHours => ({ quietHours: { from, to }, weekdays: weekdayNames });
const onWeekdays = (...weekdays: SendingHours['weekdays']): SendingHours => ({ quietHours: null, weekdays });
const working: SendingHours = { ...night, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] };

/** Title, hours, zone, time, and the next allowed time */
const cases: readonly (readonly [string, SendingHours, string, string, string])[] = [
  ['mail by day leaves at once', night, 'Europe/Vienna', '2026-11-24T11:00:00Z', '2026-11-24T11:00:00Z'],
  [
    'mail by night waits for the end of the quiet hours',
    night,
    'Europe/Vienna',
    '2026-11-24T22:15:00Z',
    '2026-11-25T07:00:00Z',
  ],
  ['mail in the first quiet moment waits', night, 'Europe/Vienna', '2026-11-24T20:00:00Z', '2026-11-25T07:00:00Z'],
  [
    'mail in the last moment before the quiet hours leaves',
    night,
    'Europe/Vienna',
    '2026-11-24T19:59:59.999Z',
    '2026-11-24T19:59:59.999Z',
  ],
  // Vienna: 29 March 2026, 02:00 becomes 03:00.
  [
    'the quiet hours end in the hour that spring skips',
    until('02:30'),
    'Europe/Vienna',
    '2026-03-29T00:30:00Z',
    '2026-03-29T01:00:00Z',
  ],
  [
    'the night of the spring change is an hour shorter',
    night,
    'Europe/Vienna',
    '2026-03-28T21:00:00Z',
    '2026-03-29T06:00:00Z',
  ],
  // Vienna: 25 October 2026, 03:00 becomes 02:00.
  [
    'the end of the quiet hours occurs twice, and the first counts',
    until('02:30'),
    'Europe/Vienna',
    '2026-10-24T22:00:00Z',
    '2026-10-25T00:30:00Z',
  ],
  [
    'mail in the repeated hour waits for the second end',
    until('02:30'),
    'Europe/Vienna',
    '2026-10-25T01:10:00Z',
    '2026-10-25T01:30:00Z',
  ],
  [
    'the night of the autumn change is an hour longer',
    night,
    'Europe/Vienna',
    '2026-10-24T20:00:00Z',
    '2026-10-25T07:00:00Z',
  ],
  // New York: 8 March 2026, 02:00 becomes 03:00.
  [
    'the quiet hours end in the hour that New York skips',
    until('02:15'),
    'America/New_York',
    '2026-03-08T06:30:00Z',
    '2026-03-08T07:00:00Z',
  ],
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
  ['a day that begins at 01:00', onWeekdays('sun'), 'Asia/Beirut', '2026-03-28T12:00:00Z', '2026-03-28T22:00:00Z'],
  ['Friday night waits for Monday', working, 'Europe/Vienna', '2026-11-27T21:00:00Z', '2026-11-30T07:00:00Z'],
  ['Saturday noon waits for Monday', working, 'Europe/Vienna', '2026-11-28T11:00:00Z', '2026-11-30T07:00:00Z'],
  ['Friday evening before the night', working, 'Europe/Vienna', '2026-11-27T19:00:00Z', '2026-11-27T19:00:00Z'],
  [
    'the weekday is that of the recipient',
    onWeekdays('mon'),
    'Pacific/Kiritimati',
    '2026-11-29T11:00:00Z',
    '2026-11-29T11:00:00Z',
  ],
  [
    'for a recipient farther west it is still Sunday',
    onWeekdays('mon'),
    'Pacific/Pago_Pago',
    '2026-11-29T11:00:00Z',
    '2026-11-30T11:00:00Z',
  ],
  // Samoa had no Friday 30 December 2011.
  ['a day that did not exist', onWeekdays('fri'), 'Pacific/Apia', '2011-12-30T08:00:00Z', '2012-01-05T10:00:00Z'],
  ['the day after it', onWeekdays('sat'), 'Pacific/Apia', '2011-12-30T08:00:00Z', '2011-12-30T10:00:00Z'],
];

for (const [title, hours, zone, at, expected] of cases)
  test(title, () => {
    assert.is(new Date(nextSendingTime(hours, zone, Date.parse(at))).toISOString(), new Date(expected).toISOString());
  });

test('the next time is never earlier, is allowed, and no earlier minute is allowed', () => {
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
