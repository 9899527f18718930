// The options of the plugin of designs. Data only; read by plugin.ts.

/** What designs cost, in credits. Whole numbers from 0. */
export interface DesignPrices {
  /** A composition that is composed from a brief. (Default: 3) */
  readonly compose?: number;
}

/** Options of `designsPlugin`. */
export interface DesignsOptions {
  readonly prices?: DesignPrices;
}

export const defaultPrices: Required<DesignPrices> = { compose: 3 };
