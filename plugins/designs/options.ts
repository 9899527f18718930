// The options of the designs plugin.

/** The prices of designs, in credits. Whole numbers from 0. */
export interface DesignPrices {
  /** A composition that is composed from a brief. (Default: 3) */
  readonly compose?: number;
}

/** Options of `designsPlugin`. */
export interface DesignsOptions {
  readonly prices?: DesignPrices;
}

export const defaultPrices: Required<DesignPrices> = { compose: 3 };
