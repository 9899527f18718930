// The options of the social plugin.
/** Prices in credits. */
export interface SocialPrices {
  /** A tweet that is published with X's own API. (Default: 1) */
  readonly tweet: number;
  /** A tweet that contains a URL and is published with X's own API. (Default: 4) */
  readonly tweetWithUrl: number;
  /** Composing the text of one channel. (Default: 2) */
  readonly compose: number;
}

/** Options of `socialPlugin`. */
export interface SocialPluginOptions {
  readonly prices?: Partial<SocialPrices>;
  /** The model for each name that callers may give as `composer`. (Default: each name itself) */
  readonly composers?: Readonly<Partial<Record<'sonnet' | 'opus', string>>>;
}

/** The options with their defaults. */
export interface SocialRules {
  readonly prices: SocialPrices;
  readonly composers: NonNullable<SocialPluginOptions['composers']>;
}

/** @throws TypeError for a price that is not a whole number of credits, 0 or more */
export function socialRules({ prices = {}, composers = {} }: SocialPluginOptions): SocialRules {
  const all = { tweet: 1, tweetWithUrl: 4, compose: 2, ...prices };
  for (const [name, price] of Object.entries(all))
    if (!Number.isInteger(price) || price < 0)
      throw new TypeError(`socialPlugin: prices.${name} must be a whole number of credits, 0 or more.`);
  return { prices: all, composers };
}
