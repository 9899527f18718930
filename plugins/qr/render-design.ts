// Renders a stored design by its id, for other plugins. Called outside of any transaction.
import type { ReadContext, ServiceContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { callerOf, readLogo } from './logo/read-logo.ts';
import type { RenderedQr } from './render.ts';
import type { QrFormat } from './schema.ts';
import type { QrService } from './service.ts';
import { qrRows } from './tables.ts';

/** The context in which a design is rendered: of `prepare`, of a job, or of a route with its workspace. */
export interface QrRenderContext extends ServiceContext {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal | undefined;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/** @throws qr_not_found, and the errors of `render` and `readLogo` */
export async function renderDesign(
  context: QrRenderContext,
  qrId: string,
  format: QrFormat,
  render: QrService['render'],
): Promise<RenderedQr> {
  const row = await context.read(({ trx }) => qrRows.find(trx, qrId));
  if (row === undefined) throw errors.qr_not_found({ id: qrId });
  const { style, frame, payload: text } = row;
  const logo = await readLogo(context, style.logoAssetId);
  return render({ text, style, frame, logo }, format, callerOf(context));
}
