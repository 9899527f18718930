// Quiet hours that leave only a few minutes of a day: a message waits for those minutes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { awakeAt } from '../../core/contract/quiet-hours.ts';

const test = suite('quiet hours');
const evening = Date.parse('2026-11-24T19:15:20Z'); // 20:15 in Vienna

const endOf = (from: string, to: string, zones: readonly string[] = ['Europe/Vienna']): string =>
  new Date(awakeAt({ from, to }, zones, evening)).toISOString();

test('if only the last minute of a day is not quiet, messages wait for it', () => {
  assert.is(endOf('00:00', '23:59'), '2026-11-24T22:59:00.000Z');
});

test('if only some minutes between quarter hours are not quiet, messages wait for them', () => {
  assert.is(endOf('08:10', '08:05'), '2026-11-25T07:05:00.000Z');
});

test('if several zones are never awake together, the first zone counts', () => {
  assert.is(endOf('00:00', '23:59', ['Europe/Vienna', 'Europe/London']), '2026-11-24T22:59:00.000Z');
});

test('a time outside the quiet hours, or without any, does not wait', () => {
  assert.is(endOf('21:00', '08:00'), new Date(evening).toISOString());
  assert.is(endOf('08:00', '08:00'), new Date(evening).toISOString());
});

test.run();
