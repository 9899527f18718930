// `ctx.services.qr`: renders codes, and knows their prices. The operations and the designer share it.
import type { Decoder } from './decode/decoder.ts';
import { createDecoder } from './decode/decoder.ts';
import type { QrOptions, QrPrices } from './options.ts';
import { defaultPrices } from './options.ts';
import type { Rendered, RenderSource } from './render.ts';
import { renderCode } from './render.ts';
import type { Format } from './schema.ts';

/** `ctx.services.qr`. */
export interface QrService {
  readonly prices: Required<QrPrices>;
  /**
   * Renders a code and reads the result, outside of a transaction.
   * @throws qr_unreadable, qr_busy, qr_renderer_missing
   */
  render(source: RenderSource, format: Format, signal?: AbortSignal): Promise<Rendered>;
  /** Ends the thread that reads codes. A later render starts it again. */
  stop(): Promise<void>;
}

/** Makes the service. It starts nothing before the first render. */
export const createQrService =
  ({ prices, decodeWorker }: QrOptions) =>
  (): QrService => {
    const decoder: Decoder = createDecoder({ file: decodeWorker });
    return {
      prices: { ...defaultPrices, ...prices },
      render: (source, format, signal) => renderCode(source, format, decoder, signal),
      stop: () => decoder.stop(),
    };
  };
