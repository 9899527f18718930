// The parts of a brand that a page shows: its colours, fonts, logo and name. Called by the routes and by previews.
import type { LegalUrls } from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import type { BrandColours } from './colours.ts';

interface PageFont {
  readonly family: string;
  readonly fallback: 'sans' | 'serif' | 'mono';
}

export interface PageBrand extends LegalUrls {
  readonly name: string;
  readonly colours: BrandColours;
  readonly title: PageFont;
  readonly body: PageFont;
  /** In px. */
  readonly radius: number;
  /** The address of the logo for light backgrounds. */
  readonly logo: string | undefined;
}

const plain: PageFont = { family: 'system-ui', fallback: 'sans' };
const usualRadius = 12;

/** Returns the brand of the page; without a brand, neutral colours with the given name. */
export function pageBrand(style: BrandStyle | undefined, name: string): PageBrand {
  const radius = usualRadius;
  if (style === undefined) {
    const colours = { primary: '#1f3a5f', accent: '#b4541a', background: '#ffffff', text: '#1d2129' };
    return { name, colours, title: plain, body: plain, radius, logo: undefined, imprintUrl: null, privacyUrl: null };
  }
  const { palette, fonts, logos } = style;
  const { primary, accent, background, text } = palette;
  return {
    name: style.name,
    colours: { primary, accent, background, text },
    ...{ title: fonts.heading, body: fonts.body, radius, logo: logos.light?.url },
    ...{ imprintUrl: style.imprint_url, privacyUrl: style.privacy_url },
  };
}
