import { loadOptional } from '../../../core/contract/errors/missing-package.ts';

/**
 * Loads the optional packages that only compiling needs. Called by compile.ts and mail-text.ts at first use. Must never
 * be called while a module loads.
 */

/** The error if a package is not installed. */
export interface MissingPackage extends Error {
  readonly name: 'MissingPackage';
  readonly package: string;
}

/** Whether an error means that a package is not installed. */
export const isMissingPackage = (error: unknown): error is MissingPackage =>
  error instanceof Error && error.name === 'MissingPackage';

/** Returns the imported module. @throws MissingPackage */
export const optionalPackage = <T>(name: string, load: () => Promise<T>): Promise<T> =>
  loadOptional(load, (cause) => {
    const error = new Error(`The package ${name} is not installed.`, { cause });
    return Object.assign(error, { name: 'MissingPackage' as const, package: name });
  });
