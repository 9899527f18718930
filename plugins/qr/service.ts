// `ctx.services.qr`: renders codes and provides their prices. Used by the operations, the designer and other plugins.
import type { WorkspaceHandle } from '../../core/index.ts';
import type { PictureLimits } from '../../core/unstable.ts';
import { createDecoder, type Decoder } from './decode/decoder.ts';
import { defaultPrices, type QrOptions, type QrPrices } from './options.ts';
import { type RenderedQr, type RenderSource, renderCode } from './render.ts';
import { type QrRenderContext, renderDesign } from './render-design.ts';
import type { QrFormat } from './schema.ts';
import { qrRows } from './tables.ts';

/** Renders QR codes. */
export interface QrService {
  readonly prices: Required<QrPrices>;
  /**
   * Renders a code and decodes the result. Called outside of a transaction.
   * @throws qr_unreadable, qr_busy, qr_renderer_missing
   */
  render(source: RenderSource, format: QrFormat, limits?: PictureLimits): Promise<RenderedQr>;
  /**
   * Renders a stored design with its logo. Called outside of a transaction.
   * @throws qr_not_found, qr_unreadable, qr_busy, qr_renderer_missing, qr_logo_invalid, qr_assets_missing
   */
  renderDesign(context: QrRenderContext, qrId: string, format: QrFormat): Promise<RenderedQr>;
  /** Whether this side of the workspace has a design with this id. */
  has(handle: WorkspaceHandle, qrId: string): Promise<boolean>;
  /** Stops the thread that decodes codes. A later render starts it again. */
  stop(): Promise<void>;
}

/** Creates the service. It starts no thread before the first render. */
export const createQrService =
  ({ prices, decodeWorker }: QrOptions) =>
  (): QrService => {
    const decoder: Decoder = createDecoder({ file: decodeWorker });
    const render: QrService['render'] = (source, format, limits) => renderCode(source, format, decoder, limits);
    return {
      prices: { ...defaultPrices, ...prices },
      render,
      renderDesign: (place, qrId, format) => renderDesign(place, qrId, format, render),
      has: async (handle, qrId) => (await qrRows.find(handle, qrId)) !== undefined,
      stop: () => decoder.stop(),
    };
  };
