// The options of the QR plugin.

/** The prices of designs and their exports, in credits. Whole numbers from 0. */
export interface QrPrices {
  /** A new design. (Default: 1) */
  readonly create?: number;
  /** An export as png-print. (Default: 2) */
  readonly pngPrint?: number;
  /** An export as pdf. (Default: 5) */
  readonly pdf?: number;
}

/** Options of `qrPlugin`. */
export interface QrOptions {
  /** Whether the designer page is at /qr-designer, for the people whom `access` of createService names. (Default: false) */
  readonly designer?: boolean;
  readonly prices?: QrPrices;
  /**
   * The program of the thread that reads codes, for a bundled service: a file made from
   * `postrider/qr-decode-worker`. (Default: the program in the package)
   */
  readonly decodeWorker?: URL | string;
}

export const defaultPrices: Required<QrPrices> = { create: 1, pngPrint: 2, pdf: 5 };
