// Loads the packages that only exports need, at the first use.
import { isMissingPackage } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';

/** @throws lead_magnet_renderer_missing where the package is not installed */
async function loadPackage<T>(name: string, imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw errors.lead_magnet_renderer_missing({ kind: 'package', name }, { cause });
  }
}

/** @throws lead_magnet_renderer_missing */
export const loadPdfkit = async () => (await loadPackage('pdfkit', import('pdfkit'))).default;
