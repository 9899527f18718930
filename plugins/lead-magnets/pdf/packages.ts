// Loads the packages that only exports need, at the first use.
import { isMissingPackage, loadOptional } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** @throws lead_magnet_renderer_missing where the package is not installed */
export async function loadPdfkit(load = () => import('pdfkit')) {
  const missing = (cause: unknown) =>
    errors.lead_magnet_renderer_missing({ kind: 'package', name: 'pdfkit' }, { cause });
  return (await loadOptional(load, missing)).default;
}

/** Undefined where sharp is not installed: then logos stay as they are. */
export async function loadSharp() {
  try {
    return (await import('sharp')).default;
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    return undefined;
  }
}
