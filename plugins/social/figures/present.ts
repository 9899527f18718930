// Figures as the API shows them: of each channel, and their sums.
import { z } from '../../../core/index.ts';
import type { PostFigures } from '../port/index.ts';

const figure = z.int().nullable();

export const figuresShown = z
  .object({
    impressions: figure,
    reach: figure,
    likes: figure,
    comments: figure,
    shares: figure,
    clicks: figure,
    saves: figure,
    videoViews: figure,
  })
  .describe('null: the network does not report it.')
  .meta({ id: 'SocialFigures' });

export const noFigures: PostFigures = {
  impressions: null,
  reach: null,
  likes: null,
  comments: null,
  shares: null,
  clicks: null,
  saves: null,
  videoViews: null,
};

const figureNames = Object.keys(noFigures) as (keyof PostFigures)[];

/** Figures as counts: numbers are rounded, and values that are not counts become null. */
export function wholeFigures(given: PostFigures): PostFigures {
  const whole = (value: number | null | undefined): number | null => {
    const count = Math.round(value ?? Number.NaN);
    return Number.isSafeInteger(count) && count >= 0 ? count : null;
  };
  return Object.fromEntries(figureNames.map((name) => [name, whole(given[name])])) as unknown as PostFigures;
}

/** The sums; null if no channel reports the figure. */
export function totalsOf(all: readonly PostFigures[]): PostFigures {
  const sum = (name: keyof PostFigures): number | null => {
    const known = all.map((figures) => figures[name]).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return Object.fromEntries(figureNames.map((name) => [name, sum(name)])) as unknown as PostFigures;
}
