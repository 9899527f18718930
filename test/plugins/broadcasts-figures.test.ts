// The figures and charts of reports, without a database: values, intervals, and pictures with hostile texts.
import * as assert from 'uvu/assert';
import { barChart, lineChart } from '../../core/unstable.ts';
import { differenceInterval } from '../../plugins/broadcasts/conversions/lift.ts';
import { amountOf, currencyOf, decimalOf } from '../../plugins/broadcasts/conversions/values.ts';
import { oneDatabase } from '../support/databases.ts';

await oneDatabase('figures of broadcasts', (test) => {
  test('amounts are read as decimal numbers, and any other text has no value', () => {
    const amountText = (value: unknown) => {
      const amount = amountOf(value);
      return amount === undefined ? undefined : decimalOf(BigInt(amount.whole), BigInt(amount.fraction));
    };
    for (const [value, expected] of [
      [0, '0'],
      [-0, '0'],
      [19.99, '19.99'],
      ['19.90', '19.9'],
      [' 7 ', '7'],
      [0.1 + 0.2, '0.3'],
      ['0.00005', '0.0001'],
      ['1.99995', '2'],
      [1e-9, '0'],
      [999_999_999_999, '999999999999'],
      [1_000_000_000_000, undefined],
      [1e21, undefined],
      [-1, undefined],
      [Number.NaN, undefined],
      [Number.POSITIVE_INFINITY, undefined],
      ['12,50', undefined],
      ['1e3', undefined],
      ['', undefined],
      ['€5', undefined],
      [true, undefined],
      [null, undefined],
      [[5], undefined],
      [{ amount: 5 }, undefined],
    ] as const)
      assert.is(amountText(value), expected, String(value));
    assert.equal(['eur', ' USD ', 'EURO', '€', '', 978, null].map(currencyOf), ['EUR', 'USD', ...Array(5).fill(null)]);
  });

  test('the interval of a difference equals the published interval (Newcombe 1998, table II, method 10)', () => {
    for (const [one, of, other, ofOther, low, high] of [
      [56, 70, 48, 80, 0.0524, 0.3339],
      [9, 10, 3, 10, 0.1705, 0.809],
      [6, 7, 2, 7, 0.0582, 0.8062],
      [5, 56, 0, 29, -0.0381, 0.1926],
      [0, 10, 0, 20, -0.1611, 0.2775],
      [0, 10, 0, 10, -0.2775, 0.2775],
      [10, 10, 0, 20, 0.6791, 1],
      [10, 10, 0, 10, 0.6075, 1],
    ] as const) {
      const interval = differenceInterval({ converted: one, assigned: of }, { converted: other, assigned: ofOther });
      assert.equal(
        [interval.low, interval.high].map((end) => Number(end.toFixed(4))),
        [low, high],
        `${one}/${of} and ${other}/${ofOther}`,
      );
    }
  });

  test('every text is escaped, and a hostile value is drawn as 0', () => {
    const bad = '</title><script>alert(1)</script>&"';
    const texts = { title: bad, description: bad };
    const bars = [Number.NaN, -5, Number.POSITIVE_INFINITY, 3].map((value) => ({ label: bad, value, note: bad }));
    const lines = [{ name: bad, values: [Number.NaN, -1, 2] }];
    for (const svg of [
      barChart({ ...texts, bars }),
      barChart({ ...texts, bars: [] }),
      barChart({ ...texts, bars, id: '"><script>' }),
      lineChart({ ...texts, labels: [bad, 'b', 'c', 'd'], lines }),
      lineChart({ ...texts, labels: ['a'], lines: [{ name: 'x', values: [] }] }),
      lineChart({ ...texts, labels: [], lines: [] }),
    ]) {
      assert.not.match(svg, /<script|NaN|Infinity|="-/);
      assert.is(svg.match(/<svg/g)?.length, 1);
    }
  });

  test('a chart without data says that there is no data', () => {
    assert.match(barChart({ title: 'Links', description: 'None.', bars: [] }), 'Nothing yet');
  });
});
