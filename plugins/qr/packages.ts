// Loads the optional packages that only rendering needs, at the first use.
import { isMissingPackage } from '../../core/unstable.ts';
import { errors } from './errors.ts';

/** The imported module. @throws qr_renderer_missing where the package is not installed */
export async function loadPackage<T>(name: string, imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw errors.qr_renderer_missing({ kind: 'package', name }, { cause });
  }
}
