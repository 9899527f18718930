// Processes pictures in a separate process (core/pictures), with the errors of this plugin.
import { PictureError, type PictureLimits, pictures } from '../../core/unstable.ts';
import { busyError, errors } from './errors.ts';

/** The context in which something is drawn. */
interface PictureCallContext {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal | undefined;
}

export const callerOf = ({ workspace, signal }: PictureCallContext): PictureLimits => ({
  workspaceId: workspace.id,
  signal,
});

/**
 * Runs work in the picture process.
 * @throws composition_renderer_missing, composition_busy; PictureError `unreadable` and `too_expensive`
 */
export async function withPictures<T>(work: (worker: ReturnType<typeof pictures>) => Promise<T>): Promise<T> {
  try {
    return await work(pictures());
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    if (error.fault === 'busy') throw busyError();
    if (error.fault === 'package_missing') throw errors.composition_renderer_missing({ missing: 'package' });
    if (error.fault === 'program_missing') throw errors.composition_renderer_missing({ missing: 'file' });
    throw error;
  }
}
