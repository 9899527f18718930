// Loads the optional package that makes codes, and processes pictures in a separate process (core/pictures). Failures
// become errors of this plugin.
import { loadOptional, PictureError, pictures } from '../../core/unstable.ts';
import { busy, errors } from './errors.ts';

/** Imports an optional package. @throws qr_renderer_missing if the package is not installed */
export const loadPackage = <T>(name: string, load: () => Promise<T>): Promise<T> =>
  loadOptional(load, (cause) => errors.qr_renderer_missing({ kind: 'package', name }, { cause }));

/** Runs work in the picture process. @throws qr_renderer_missing, qr_busy; PictureError `unreadable` and `too_expensive` */
export async function withPictures<T>(work: (desk: ReturnType<typeof pictures>) => Promise<T>): Promise<T> {
  try {
    return await work(pictures());
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    if (error.fault === 'busy') throw busy();
    if (error.fault === 'package_missing') throw errors.qr_renderer_missing({ kind: 'package', name: 'sharp' });
    if (error.fault === 'program_missing') throw errors.qr_renderer_missing({ kind: 'pictures' });
    throw error;
  }
}
