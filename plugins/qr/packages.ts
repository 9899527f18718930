// Loads the optional packages that only rendering needs, at the first use.
import { loadOptional } from '../../core/unstable.ts';
import { errors } from './errors.ts';

/** The imported module. @throws qr_renderer_missing where the package is not installed */
export const loadPackage = <T>(name: string, load: () => Promise<T>): Promise<T> =>
  loadOptional(load, (cause) => errors.qr_renderer_missing({ kind: 'package', name }, { cause }));
