// Loads the optional package that only drawing needs, at the first use.
import type { Sharp, SharpOptions } from 'sharp';
import { loadOptional } from '../../core/unstable.ts';
import { errors } from './errors.ts';

/** For one picture. */
const seconds = 30;

/** A pipeline with limits. It runs in threads of its own. @throws composition_renderer_missing */
export async function openPicture(
  bytes: Uint8Array,
  options: SharpOptions = {},
  load: () => Promise<typeof import('sharp')> = () => import('sharp'),
): Promise<Sharp> {
  const missing = (cause: unknown) => errors.composition_renderer_missing({ name: 'sharp' }, { cause });
  const { default: sharp } = await loadOptional(load, missing);
  return sharp(bytes, { failOn: 'error', ...options }).timeout({ seconds });
}
