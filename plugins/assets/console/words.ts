// The words of the console for assets. Pure.
import { type Html, type PillTone, pill } from '../../../core/unstable.ts';
import type { AssetView } from '../schema.ts';

const statuses: Readonly<Record<AssetView['status'], readonly [words: string, tone: PillTone]>> = {
  pending: ['Waiting for the file', 'wait'],
  ready: ['Ready', 'good'],
  failed: ['Failed', 'bad'],
};

export const statusPill = ({ status }: Pick<AssetView, 'status'>): Html => pill(...statuses[status]);

export const kindWords: Readonly<Record<NonNullable<AssetView['kind']>, string>> = {
  image: 'Picture',
  video: 'Video',
  gif: 'GIF',
  document: 'Document',
};

export const sourceWords: Readonly<Record<AssetView['source'], string>> = {
  upload: 'Uploaded',
  url: 'Fetched from an address',
  render: 'Rendered',
  export: 'Exported',
  compose: 'Composed',
};

/** A number of bytes: `1.4 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toLocaleString('en-GB', { maximumFractionDigits: 1 })} ${unit}`;
}

/** The size of a picture or video. */
export const dimensions = ({ width, height }: Pick<AssetView, 'width' | 'height'>): string | undefined =>
  width === null || height === null ? undefined : `${width} × ${height}`;
