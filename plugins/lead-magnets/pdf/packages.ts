// Loads the packages that only exports need, at first use.
import { loadOptional } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** @throws lead_magnet_renderer_missing if the package is not installed */
export async function loadPdfkit(load = () => import('pdfkit')) {
  const missing = (cause: unknown) =>
    errors.lead_magnet_renderer_missing({ kind: 'package', name: 'pdfkit' }, { cause });
  return (await loadOptional(load, missing)).default;
}
