// The options of the QR plugin. Data only; read by plugin.ts.
import type { PageOptions } from '../../core/unstable.ts';

/** What designs and their exports cost, in credits. Whole numbers from 0. */
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
  /** Mounts the designer page at /qr-designer, for the people whom `authorize` admits. (Default: no page) */
  readonly designer?: PageOptions;
  readonly prices?: QrPrices;
  /**
   * The program of the thread that reads codes, for a service that is bundled: a file made of
   * `postrider/qr-decode-worker`. (Default: the one in the package)
   */
  readonly decodeWorker?: URL | string;
}

export const defaultPrices: Required<QrPrices> = { create: 1, pngPrint: 2, pdf: 5 };
