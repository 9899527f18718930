/**
 * Loads the optional packages that only compiling needs. Called by compile.ts and mail-text.ts at the first use; must
 * never be called while a module loads.
 */
import { errors } from '../errors.ts';

const isMissing = (cause: unknown): boolean => {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
};

/** The imported module. @throws compiler_missing */
export async function optionalPackage<T>(name: string, imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (cause) {
    throw isMissing(cause) ? errors.compiler_missing({ name }, { cause }) : cause;
  }
}
