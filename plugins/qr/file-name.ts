// The name of an export. Pure.
import type { Format } from './schema.ts';

const ending: Readonly<Record<Format, string>> = {
  svg: '.svg',
  png: '.png',
  webp: '.webp',
  'png-print': '-print.png',
  pdf: '.pdf',
};

/** A name from the design's label, or its id where it has none. */
export function fileName(
  { label, id }: { readonly label: string | null; readonly id: string },
  format: Format,
): string {
  const base = (label ?? '').replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim() || id;
  return `${base}${ending[format]}`;
}
