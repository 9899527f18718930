// The content of a PDF: the text with its hash, and the style of the brand. The hash covers everything that changes the
// file.
import type { ReadContext } from '../../core/index.ts';
import { contentHash } from '../../core/unstable.ts';
import type { BrandStyle } from '../brand/index.ts';
import type { Chapter, ChapterHead } from './schema.ts';
import type { LeadMagnetHead, LeadMagnetRow } from './tables.ts';

/** Part of each hash. Increase it with a change of the code that makes a different file from the same content. */
const painterVersion = 3;

export type BookStyle = Pick<BrandStyle, 'name' | 'palette' | 'fonts' | 'logos'>;

export const outlineOf = (chapters: readonly Chapter[]): ChapterHead[] =>
  chapters.map(({ heading, summary }) => ({ heading, summary }));

/** The hash of the text alone. */
export const textHash = ({
  title,
  format,
  cover_pages: coverPages,
  chapters,
}: Pick<LeadMagnetRow, 'title' | 'format' | 'cover_pages' | 'chapters'>): string =>
  contentHash({ title, format, coverPages, chapters: chapters.map((chapter) => ({ ...chapter })) });

/** The hash of the text with a style; the style is undefined for a workspace without a brand. */
export function hashOf({ text_hash: text }: Pick<LeadMagnetHead, 'text_hash'>, style: BookStyle | undefined): string {
  const visibleStyle =
    style === undefined
      ? null
      : {
          name: style.name,
          palette: { ...style.palette },
          fonts: style.fonts,
          logo: style.logos.light?.assetId ?? null,
        };
  return contentHash(JSON.parse(JSON.stringify({ painterVersion, text, shown: visibleStyle })));
}

/** The brand of a lead magnet; undefined if the workspace has no brand. */
export const bookStyleFor = ({ services, trx }: ReadContext, brandId: string | null): Promise<BrandStyle | undefined> =>
  services.brands.style(trx, brandId ?? undefined);
