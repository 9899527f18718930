// Quiet hours that leave only minutes of a day: what they hold back waits for these minutes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { awakeAt } from '../../core/contract/quiet-hours.ts';

const test = suite('quiet hours');
const evening = Date.parse('2026-11-24T19:15:20Z'); // 20:15 in Vienna

const endOf = (from: string, to: string, zones: readonly string[] = ['Europe/Vienna']): string =>
  new Date(awakeAt({ from, to }, zones, evening)).toISOString();

test('a day that is quiet but for its last minute waits for that minute', () => {
  assert.is(endOf('00:00', '23:59'), '2026-11-24T22:59:00.000Z');
});

test('a day that is quiet but for minutes between two quarter hours waits for them', () => {
  assert.is(endOf('08:10', '08:05'), '2026-11-25T07:05:00.000Z');
});

test('where several zones are never awake together, the first one counts', () => {
  assert.is(endOf('00:00', '23:59', ['Europe/Vienna', 'Europe/London']), '2026-11-24T22:59:00.000Z');
});

test('hours outside of the quiet ones, and none, wait for nothing', () => {
  assert.is(endOf('21:00', '08:00'), new Date(evening).toISOString());
  assert.is(endOf('08:00', '08:00'), new Date(evening).toISOString());
});

test.run();
