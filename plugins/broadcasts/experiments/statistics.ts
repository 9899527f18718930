// Compares two proportions: the pooled two-sided z test, and Fisher's exact test. Pure. No calculation overflows, however many recipients there
// are.

/** Trials of one kind, and the number of them that succeeded. */
export interface Proportion {
  readonly recipients: number;
  readonly hits: number;
}

/** The comparison of two proportions. */
export interface Comparison {
  readonly test: 'z' | 'fisher';
  /** Null for Fisher's exact test. */
  readonly z: number | null;
  /** The probability of a difference at least as large if both kinds are equally good, two-sided. */
  readonly p: number;
}

/** Below this expected number in a cell of the table, the normal distribution is a bad approximation. */
const minExpected = 5;

/** The complementary error function: a series of positive terms near 0, and a continued fraction (Abramowitz and Stegun 7.1.14) beyond. */
function erfc(x: number): number {
  if (x < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; term > sum * 1e-17; n += 1) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = x;
  for (let n = 120; n >= 1; n -= 1) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}

/** The probability that a standard normal variable is at least as far from 0. */
export const twoSided = (z: number): number => erfc(Math.abs(z) / Math.SQRT2);

/** The z of two proportions with pooled variance, without a correction for continuity. 0 if none or all of them succeeded. */
export function pooledZ(one: Proportion, other: Proportion): number {
  const [n, m] = [one.recipients, other.recipients];
  const pooled = (one.hits + other.hits) / (n + m);
  const variance = pooled * (1 - pooled) * (1 / n + 1 / m);
  return variance > 0 ? (one.hits / n - other.hits / m) / Math.sqrt(variance) : 0;
}

/** Probabilities this much larger than the observed one count as equal to it, because rounding makes equal probabilities differ. */
const tolerance = 1 + 1e-7;

/**
 * The p of Fisher's exact test, two-sided: the probability of all tables with the same margins that are at most as probable as the
 * observed one. Each probability is relative to the largest, which is 1, and comes from its neighbour.
 */
export function fisherP(one: Proportion, other: Proportion): number {
  const hits = one.hits + other.hits;
  const [n, m] = [one.recipients, other.recipients];
  const [minCell, most] = [Math.max(0, hits - m), Math.min(n, hits)];
  const mode = Math.min(most, Math.max(minCell, Math.floor(((n + 1) * (hits + 1)) / (n + m + 2))));
  /** The probability of `cell` hits of the first kind, divided by the probability of one hit less. */
  const ratio = (cell: number): number => ((n - cell + 1) * (hits - cell + 1)) / (cell * (m - hits + cell));
  const relative: { readonly cell: number; readonly weight: number }[] = [{ cell: mode, weight: 1 }];
  for (let cell = mode + 1, weight = 1; cell <= most && weight > 0; cell += 1) {
    weight *= ratio(cell);
    relative.push({ cell, weight });
  }
  for (let cell = mode - 1, weight = 1; cell >= minCell && weight > 0; cell -= 1) {
    weight /= ratio(cell + 1);
    relative.push({ cell, weight });
  }
  const observed = relative.find(({ cell }) => cell === one.hits)?.weight ?? 0;
  const sum = (weights: typeof relative): number => weights.reduce((total, { weight }) => total + weight, 0);
  return Math.min(1, sum(relative.filter(({ weight }) => weight <= observed * tolerance)) / sum(relative));
}

/** The smallest number that a cell of the table of both kinds would have if they were equally good. */
export function smallestExpected(one: Proportion, other: Proportion): number {
  const all = one.recipients + other.recipients;
  const hits = one.hits + other.hits;
  return (Math.min(one.recipients, other.recipients) * Math.min(hits, all - hits)) / all;
}

/** Compares two kinds with at least one trial each. */
export function compare(one: Proportion, other: Proportion): Comparison {
  if (smallestExpected(one, other) < minExpected) return { test: 'fisher', z: null, p: fisherP(one, other) };
  const z = pooledZ(one, other);
  return { test: 'z', z, p: twoSided(z) };
}
