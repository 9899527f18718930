// The options of the social plugin. Data only.
import type { PageOptions } from '../../core/unstable.ts';

/** Prices in credits. */
export interface SocialPrices {
  /** A tweet, published with X's own API. (Default: 1) */
  readonly tweet: number;
  /** The same, with a URL in it. (Default: 4) */
  readonly tweetWithUrl: number;
  /** Composing, for each channel. (Default: 2) */
  readonly compose: number;
}

/** Options of `socialPlugin`. */
export interface SocialPluginOptions {
  readonly prices?: Partial<SocialPrices>;
  /** The names that callers may give as `composer`, each with the model that it stands for. (Default: each name itself) */
  readonly composers?: Readonly<Partial<Record<'sonnet' | 'opus', string>>>;
  /**
   * Serves a page with a calendar and cards of posts at /social-console, to the callers that `authorize` admits. With `{}` only
   * this machine may see it, and only in development. (Default: no page)
   */
  readonly console?: PageOptions;
}

/** The options with their defaults. */
export interface SocialRules {
  readonly prices: SocialPrices;
  readonly composers: NonNullable<SocialPluginOptions['composers']>;
}

/** @throws TypeError for a price that is none */
export function socialRules({ prices = {}, composers = {} }: SocialPluginOptions): SocialRules {
  const all = { tweet: 1, tweetWithUrl: 4, compose: 2, ...prices };
  for (const [name, price] of Object.entries(all))
    if (!Number.isInteger(price) || price < 0)
      throw new TypeError(`socialPlugin: prices.${name} must be a whole number of credits, 0 or more.`);
  return { prices: all, composers };
}
