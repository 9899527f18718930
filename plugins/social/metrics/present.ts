// The metrics of each channel and their sums, as the API shows them.
import { z } from '../../../core/index.ts';
import type { PostMetrics } from '../port/index.ts';

const metric = z.int().nullable();

export const metricsView = z
  .object({
    impressions: metric,
    reach: metric,
    likes: metric,
    comments: metric,
    shares: metric,
    clicks: metric,
    saves: metric,
    videoViews: metric,
  })
  .describe('null: the network does not report it.')
  .meta({ id: 'SocialFigures' });

export const noMetrics: PostMetrics = {
  impressions: null,
  reach: null,
  likes: null,
  comments: null,
  shares: null,
  clicks: null,
  saves: null,
  videoViews: null,
};

const metricNames = Object.keys(noMetrics) as (keyof PostMetrics)[];

/** Metrics as counts: numbers are rounded, and values that are not counts become null. */
export function roundedMetrics(input: PostMetrics): PostMetrics {
  const roundedCount = (value: number | null | undefined): number | null => {
    const count = Math.round(value ?? Number.NaN);
    return Number.isSafeInteger(count) && count >= 0 ? count : null;
  };
  return Object.fromEntries(metricNames.map((name) => [name, roundedCount(input[name])])) as unknown as PostMetrics;
}

/** The sums; null if no channel reports the metric. */
export function totalsOf(all: readonly PostMetrics[]): PostMetrics {
  const sum = (name: keyof PostMetrics): number | null => {
    const reportedValues = all.map((figures) => figures[name]).filter((value) => value !== null);
    return reportedValues.length === 0 ? null : reportedValues.reduce((total, value) => total + value, 0);
  };
  return Object.fromEntries(metricNames.map((name) => [name, sum(name)])) as unknown as PostMetrics;
}
