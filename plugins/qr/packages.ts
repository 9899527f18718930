// Loads the optional packages that only rendering needs, at the first use.
import { errors } from './errors.ts';

/** The imported module. @throws qr_renderer_missing where the package is not installed */
export async function loadPackage<T>(name: string, imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (cause) {
    const code = (cause as { readonly code?: unknown } | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw errors.qr_renderer_missing({ kind: 'package', name }, { cause });
  }
}
