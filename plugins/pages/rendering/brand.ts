// The parts of a brand that a page shows: its colours, fonts, logo and name. Called by the routes and by previews.
import { type BrandPictures, type LegalUrls, noPictures } from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import type { BrandColours } from './colours.ts';

interface PageFont {
  readonly family: string;
  readonly fallback: 'sans' | 'serif' | 'mono';
}

export interface PageBrand extends LegalUrls, BrandPictures {
  readonly name: string;
  readonly colours: BrandColours;
  readonly title: PageFont;
  readonly body: PageFont;
  /** In px. */
  readonly radius: number;
}

const systemFont: PageFont = { family: 'system-ui', fallback: 'sans' };
const defaultRadius = 12;

/** Returns the brand of the page; without a brand, neutral colours with the given name. */
export function pageBrand(style: BrandStyle | undefined, name: string): PageBrand {
  const radius = defaultRadius;
  if (style === undefined) {
    const colours = { primary: '#1f3a5f', accent: '#b4541a', background: '#ffffff', text: '#1d2129' };
    return {
      name,
      colours,
      title: systemFont,
      body: systemFont,
      radius,
      imprintUrl: null,
      privacyUrl: null,
      ...noPictures,
    };
  }
  const { palette, fonts, logos } = style;
  const { primary, accent, background, text } = palette;
  return {
    name: style.name,
    colours: { primary, accent, background, text },
    ...{ title: fonts.heading, body: fonts.body, radius },
    ...{ logos: { light: logos.light?.url ?? null, dark: logos.dark?.url ?? null }, icon: logos.mark?.url ?? null },
    ...{ imprintUrl: style.imprint_url, privacyUrl: style.privacy_url },
  };
}
