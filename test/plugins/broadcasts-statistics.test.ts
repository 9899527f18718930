// The statistics of experiments, compared with published figures and with simulated experiments in which no variant is better. Also the
// assignment of variants.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assignmentOf } from '../../plugins/broadcasts/experiments/assignment.ts';
import { compareVariants } from '../../plugins/broadcasts/experiments/compare-variants.ts';
import type { Experiment } from '../../plugins/broadcasts/experiments/schema.ts';
import {
  compare,
  fisherP,
  pooledZ,
  smallestExpected,
  twoSided,
} from '../../plugins/broadcasts/experiments/statistics.ts';

const test = suite('statistics of experiments');

/** Fails if the numbers are not equal to this number of significant digits. */
function assertClose(actual: number, expected: number, digits: number, label = ''): void {
  const error = expected === 0 ? Math.abs(actual) : Math.abs(actual / expected - 1);
  assert.ok(error < 0.5 * 10 ** (1 - digits), `${label} ${actual} instead of ${expected}`);
}

const of = (hits: number, recipients: number) => ({ hits, recipients });

/** Two groups from a table with one row for each group: its hits and its misses. */
const table = ([[a, b], [c, d]]: readonly [readonly [number, number], readonly [number, number]]) =>
  [of(a, a + b), of(c, c + d)] as const;

test('two-sided probabilities agree with tables of the normal distribution', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.1: the area from 0 to z, here twice the rest of one half.
  for (const [z, area] of [
    [0.5, 0.19146],
    [1, 0.34134],
    [1.5, 0.43319],
    [1.96, 0.475],
    [2.5, 0.49379],
    [3, 0.49865],
    [3.5, 0.49977],
    [4, 0.49997],
  ] as const)
    assert.ok(Math.abs(twoSided(z) - 2 * (0.5 - area)) < 1.1e-5, `${z}`);
  // Abramowitz and Stegun, Handbook of Mathematical Functions, tables 7.1 and 7.3: erf 1, erf 2, erfc 3 and erfc 5.
  assertClose(1 - twoSided(Math.SQRT2), 0.8427007929, 10);
  assertClose(1 - twoSided(2 * Math.SQRT2), 0.995322265, 10);
  assertClose(twoSided(3 * Math.SQRT2), 2.2090497e-5, 9);
  assertClose(twoSided(5 * Math.SQRT2), 1.53745979e-12, 9);
  assert.is(twoSided(0), 1);
  assert.is(twoSided(-1.7), twoSided(1.7));
  assert.is(twoSided(1e9), 0);
});

test('the pooled z agrees with textbooks', () => {
  // Agresti, An Introduction to Categorical Data Analysis, table 2.3 (Physicians' Health Study): chi-square of 25.01, z squared.
  const aspirin = [of(189, 11_034), of(104, 11_037)] as const;
  assertClose(pooledZ(...aspirin) ** 2, 25.01, 4);
  assert.is(compare(...aspirin).test, 'z');
  // InfluentialPoints, two-sample test for independent proportions: prop.test of R without a correction has 6.1026 and p of 0.01350.
  const independent = [of(94, 214), of(39, 128)] as const;
  assertClose(pooledZ(...independent) ** 2, 6.1026, 5);
  assertClose(compare(...independent).p, 0.0135, 4);
  // statsmodels, proportions_ztest: 5 of 83 and 12 of 99 have p of 0.159.
  assert.is(compare(of(5, 83), of(12, 99)).p.toFixed(3), '0.159');
});

test("Fisher's exact test agrees with R", () => {
  // Fisher, The Design of Experiments: the lady tasting tea. Two-sided in the documentation of R, fisher.test.
  assertClose(fisherP(of(3, 4), of(1, 4)), 0.4857, 4);
  // The same documentation: convictions of like-sex twins of criminals (Fisher 1962).
  assertClose(fisherP(of(2, 17), of(10, 13)), 0.0005367, 4);
  // Results of R's fisher.test in the tests of SciPy and of the package fisher.
  for (const [cells, p] of [
    [
      [
        [100, 2],
        [1_000, 5],
      ],
      0.1300759363430016,
    ],
    [
      [
        [2, 7],
        [8, 2],
      ],
      0.0230141375652212,
    ],
    [
      [
        [5, 1],
        [10, 10],
      ],
      0.1973244147157191,
    ],
    [
      [
        [5, 15],
        [20, 20],
      ],
      0.0958044001247763,
    ],
    [
      [
        [5, 16],
        [20, 25],
      ],
      0.1725864953812995,
    ],
    [
      [
        [10, 5],
        [10, 1],
      ],
      0.1973244147157192,
    ],
    [
      [
        [10, 5],
        [10, 0],
      ],
      0.0612648221343874,
    ],
    [
      [
        [5, 0],
        [1, 4],
      ],
      0.0476190476190476,
    ],
    [
      [
        [0, 5],
        [1, 4],
      ],
      1,
    ],
    [
      [
        [0, 1],
        [3, 2],
      ],
      1,
    ],
    [
      [
        [200, 7],
        [8, 300],
      ],
      2.005657880389071e-122,
    ],
    [
      [
        [28, 21],
        [6, 1_957],
      ],
      5.728437460831947e-44,
    ],
    [
      [
        [190, 800],
        [200, 900],
      ],
      0.574111858126088,
    ],
  ] as const) {
    assertClose(fisherP(...table(cells)), p, 9, JSON.stringify(cells));
    const [one, other] = table(cells);
    assertClose(fisherP(other, one), p, 9, `${JSON.stringify(cells)} turned round`);
  }
});

test('a small expected cell count requires the exact test, and a million recipients cause no overflow', () => {
  assert.is(smallestExpected(of(5, 100), of(5, 100)), 5);
  assert.is(compare(of(5, 100), of(5, 100)).test, 'z');
  assert.is(compare(of(4, 100), of(5, 100)).test, 'fisher');
  assert.is(compare(of(96, 100), of(95, 100)).test, 'fisher');
  const million = 1_000_000;
  for (const [one, other] of [
    [of(0, million), of(0, million)],
    [of(million, million), of(million, million)],
    [of(0, 1), of(million, million)],
    [of(1, 3), of(million / 2, million)],
    [of(3, million), of(1, million)],
    [of(million, million), of(0, million)],
    [of(500_400, million), of(500_000, million)],
  ] as const) {
    const { p } = compare(one, other);
    assert.ok(p >= 0 && p <= 1, `${JSON.stringify([one, other])}: ${p}`);
  }
  assert.is(compare(of(0, million), of(0, million)).p, 1);
  // Of 4 hits in two groups of equal size, one group has 3 or more, or 1 or fewer, in 10 of 16 cases.
  assertClose(compare(of(3, million), of(1, million)).p, 10 / 16, 5);
  // If both tests apply, they give the same result.
  const close = [of(5_100, million), of(4_900, million)] as const;
  assertClose(fisherP(...close), twoSided(pooledZ(...close)), 2);
});

test('the best variant is compared with the second best, and nothing is compared without recipients', () => {
  const named = (name: string, hits: number, recipients: number) => ({ name, hits, recipients });
  const clear = compareVariants([named('A', 20, 500), named('B', 60, 500), named('C', 25, 500)]);
  assert.is(clear.winner, 'B');
  assertClose(clear.p ?? 1, compare(of(60, 500), of(25, 500)).p, 15);
  assert.equal(clear.figures[1], { name: 'B', recipients: 500, hits: 60, rate: 0.12 });
  // Both are much better than C, and neither of the two is better than the other.
  assert.is(compareVariants([named('A', 58, 500), named('B', 60, 500), named('C', 5, 500)]).winner, undefined);
  const alone = compareVariants([named('A', 0, 0), named('B', 9, 10)]);
  assert.equal(
    [alone.winner, alone.test, alone.z, alone.p, alone.figures[0]?.rate],
    [undefined, null, null, null, null],
  );
});

/** Numbers from 0 to 1, the same for the same seed: the generator mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The share of simulated experiments without a difference that still have a winner. */
function falseWinners(variants: number, experiments: number, seed: number): number {
  const random = randomFrom(seed);
  let winners = 0;
  for (let experiment = 0; experiment < experiments; experiment += 1) {
    // Rates from one click in a hundred to an open of every second mail, in samples from the smallest size upwards.
    const rate = 0.01 + 0.49 * random() ** 2;
    const counts = Array.from({ length: variants }, (_, index) => {
      const recipients = 200 + Math.floor(400 * random());
      let hits = 0;
      for (let one = 0; one < recipients; one += 1) if (random() < rate) hits += 1;
      return { name: String(index), recipients, hits };
    });
    if (compareVariants(counts).winner !== undefined) winners += 1;
  }
  return winners / experiments;
}

test('of 10,000 experiments without a difference, at most 6 % have a winner with 2 variants, and at most 5 % with more', () => {
  const shares = [2, 3, 4, 5].map((variants) => falseWinners(variants, 10_000, 1_000 + variants));
  console.log(
    `# winners without a difference, 2 to 5 variants: ${shares.map((share) => `${(100 * share).toFixed(2)} %`).join(', ')}`,
  );
  const [two = 1, ...more] = shares;
  assert.ok(two <= 0.06, `${two}`);
  // A test that never calls a winner would pass, too.
  assert.ok(two > 0.03, `${two}`);
  for (const share of more) assert.ok(share <= 0.05, `${share}`);
});

test('a real difference is found', () => {
  const random = randomFrom(7);
  let winners = 0;
  for (let experiment = 0; experiment < 200; experiment += 1) {
    const counts = [0.1, 0.14].map((rate, index) => {
      let hits = 0;
      for (let one = 0; one < 2_000; one += 1) if (random() < rate) hits += 1;
      return { name: index === 0 ? 'worse' : 'better', recipients: 2_000, hits };
    });
    if (compareVariants(counts).winner === 'better') winners += 1;
  }
  assert.ok(winners > 180, `${winners}`);
});

test('the assignment is stable, with equal shares, and independent of the sample', () => {
  const row = (samplePercent: number, id = 'brc_1') => {
    const variants = ['A', 'B', 'C', 'D'].map((name) => ({ name }));
    return { id, experiment: { variants, samplePercent } as unknown as Experiment };
  };
  const contacts = Array.from({ length: 20_000 }, (_, index) => `con_${index}`);
  const assignments = contacts.map((contact) => assignmentOf(row(40), contact));
  assert.equal(
    assignments,
    contacts.map((contact) => assignmentOf(row(40), contact)),
  );
  const inSample = assignments.filter(({ variant }) => variant !== null);
  // 40 % of 20,000, and a quarter of these for each variant, within 4 standard deviations.
  assert.ok(Math.abs(inSample.length - 8_000) < 4 * Math.sqrt(20_000 * 0.4 * 0.6), `${inSample.length}`);
  for (const name of ['A', 'B', 'C', 'D']) {
    const share = inSample.filter(({ variant }) => variant === name).length;
    assert.ok(Math.abs(share - 2_000) < 4 * Math.sqrt(8_000 * 0.25 * 0.75), `${name}: ${share}`);
  }
  for (const [index, assignment] of assignments.entries()) {
    assert.is(assignment.state, assignment.variant === null ? 'undecided' : 'waiting');
    // A larger sample keeps the variants that contacts have in a smaller sample.
    if (assignment.variant !== null)
      assert.is(assignmentOf(row(80), contacts[index] ?? '').variant, assignment.variant);
  }
  assert.ok(contacts.every((contact) => assignmentOf(row(100), contact).variant !== null));
  const other = contacts.filter((contact) => assignmentOf(row(40, 'brc_2'), contact).variant !== null).length;
  assert.ok(other > 7_000 && other < 9_000);
  assert.equal(assignmentOf({ id: 'brc_1', experiment: null }, 'con_1'), { state: 'waiting', variant: null });
});

test.run();
