// The parts of a brand that a page shows: its colours, fonts, logo and name. Called by the routes and by previews.
import type { BrandLook } from '../../brand/index.ts';
import type { BrandColours } from './colours.ts';

interface Font {
  readonly family: string;
  readonly fallback: 'sans' | 'serif' | 'mono';
}

export interface PageBrand {
  readonly name: string;
  readonly colours: BrandColours;
  readonly title: Font;
  readonly body: Font;
  /** In px. */
  readonly radius: number;
  /** The address of the logo for light backgrounds. */
  readonly logo: string | undefined;
}

const plain: Font = { family: 'system-ui', fallback: 'sans' };
const usualRadius = 12;

/** Returns the brand of the page; without a brand, neutral colours with the given name. */
export function pageBrand(look: BrandLook | undefined, name: string): PageBrand {
  const radius = usualRadius;
  if (look === undefined) {
    const colours = { primary: '#1f3a5f', accent: '#b4541a', background: '#ffffff', text: '#1d2129' };
    return { name, colours, title: plain, body: plain, radius, logo: undefined };
  }
  const { palette, fonts, logos } = look;
  const { primary, accent, background, text } = palette;
  return {
    name: look.name,
    colours: { primary, accent, background, text },
    ...{ title: fonts.heading, body: fonts.body, radius, logo: logos.light?.url },
  };
}
