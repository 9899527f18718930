// Warnings of brands whose text is hard to read. Pure.
import { contrast, minContrast } from '../../core/unstable.ts';
import type { Palette } from './schema.ts';

/** A text that is hard to read. */
export interface ContrastWarning {
  readonly path: string;
  readonly code: 'contrast_low';
  readonly message: string;
}

/** The warnings of one palette. `path` is its path in the brand, such as `themes.0.palette`. */
export function contrastWarnings({ text, background }: Palette, path: string): ContrastWarning[] {
  const ratio = contrast(text, background);
  if (ratio >= minContrast) return [];
  const ratioText = (Math.floor(ratio * 100) / 100).toFixed(2);
  const message = `Text ${text} on ${background} has a contrast of ${ratioText} to 1; WCAG AA asks for ${minContrast}.`;
  return [{ path: `${path}.text`, code: 'contrast_low', message }];
}
