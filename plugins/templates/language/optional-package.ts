/**
 * Loads the optional packages that only compiling needs. Called by compile.ts and mail-text.ts at the first use; must
 * never be called while a module loads.
 */

/** Says that a package is not installed. */
export interface MissingPackage extends Error {
  readonly name: 'MissingPackage';
  readonly package: string;
}

const isMissing = (cause: unknown): boolean => {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
};

/** Whether an error says that a package is not installed. */
export const isMissingPackage = (error: unknown): error is MissingPackage =>
  error instanceof Error && error.name === 'MissingPackage';

/** The imported module. @throws MissingPackage */
export async function optionalPackage<T>(name: string, imported: Promise<T>): Promise<T> {
  try {
    return await imported;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const error = new Error(`The package ${name} is not installed.`, { cause });
    throw Object.assign(error, { name: 'MissingPackage' as const, package: name });
  }
}
