// Quiet hours that leave only a few minutes of a day: a message waits for these minutes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { afterQuietHours, quietHoursSchema } from '../../core/contract/values/quiet-hours.ts';

const test = suite('quiet hours');
const evening = Date.parse('2026-11-24T19:15:20Z'); // 20:15 in Vienna

const endOf = (from: string, to: string, zones: readonly string[] = ['Europe/Vienna']): string =>
  new Date(afterQuietHours({ from, to }, zones, evening)).toISOString();

test('if only the last minute of a day is not quiet, messages wait for it', () => {
  assert.is(endOf('00:00', '23:59'), '2026-11-24T22:59:00.000Z');
});

test('if only some minutes between quarter hours are not quiet, messages wait for them', () => {
  assert.is(endOf('08:10', '08:05'), '2026-11-25T07:05:00.000Z');
});

test('if several zones never have allowed hours at the same time, the first zone counts', () => {
  assert.is(endOf('00:00', '23:59', ['Europe/Vienna', 'Europe/London']), '2026-11-24T22:59:00.000Z');
});

test('the two times of quiet hours must differ', () => {
  const faultOf = (from: string, to: string) => quietHoursSchema.safeParse({ from, to }).error?.issues[0]?.message;
  assert.is(faultOf('21:00', '08:00'), undefined);
  assert.is(faultOf('08:00', '08:00'), 'from and to are the same time. Give two times, or no quiet hours.');
  assert.is(faultOf('8:00', '08:00'), 'A time of day is HH:MM.');
});

test('a message does not wait outside the quiet hours, or if there are no quiet hours', () => {
  assert.is(endOf('21:00', '08:00'), new Date(evening).toISOString());
  assert.is(endOf('08:00', '08:00'), new Date(evening).toISOString());
});

test.run();
