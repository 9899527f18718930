// Decides whether a variant is significantly better than all others: compares the best with the second best. Pure.
import type { ExperimentDecision, VariantResult } from './schema.ts';
import { type Comparison, compare, type Proportion } from './statistics.ts';

/** A variant wins if p is below this value. */
export const significance = 0.05;

/** Counted recipients of a variant. */
export interface CountedVariant extends Proportion {
  readonly name: string;
}

/** The figures of all variants, and the winner, if there is one. */
export interface VariantComparison extends Pick<ExperimentDecision, 'test' | 'z' | 'p'> {
  readonly figures: readonly VariantResult[];
  readonly winner: string | undefined;
}

const rateOf = ({ recipients, hits }: Proportion): number => hits / recipients;

/** Compares the best variant with the second best. Of equally good variants, the first is the best. */
export function compareVariants(variants: readonly CountedVariant[]): VariantComparison {
  const figures = variants.map((variant) => ({
    name: variant.name,
    recipients: variant.recipients,
    hits: variant.hits,
    rate: variant.recipients === 0 ? null : rateOf(variant),
  }));
  const [best, second] = variants
    .filter(({ recipients }) => recipients > 0)
    .sort((one, other) => rateOf(other) - rateOf(one));
  if (best === undefined || second === undefined) return { figures, winner: undefined, test: null, z: null, p: null };
  const comparison: Comparison = compare(best, second);
  return { figures, winner: comparison.p < significance ? best.name : undefined, ...comparison };
}
