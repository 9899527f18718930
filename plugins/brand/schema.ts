// The schema of brands as callers send and receive them.
import { idOf, isoTime, z } from '../../core/index.ts';

/** The maximum number of brands in a workspace. */
export const maxBrands = 50;
/** The maximum number of themes in a brand. */
export const maxThemes = 20;

const words = z.string().max(2_000);
const lines = z.array(z.string().min(1).max(2_000)).max(20);
const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb.')
  .describe('#rrggbb');
const font = z.strictObject({
  family: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 -]{0,59}$/, 'Letters, digits, spaces and hyphens, at most 60.'),
  fallback: z.enum(['sans', 'serif', 'mono']).describe('What readers see who do not have the family.'),
});
const radius = z.int().min(0).max(40).describe('The radius of corners in px.');
const name = z.string().min(1).max(200);

/** A logo in the input. */
const givenLogo = z
  .strictObject({
    url: z
      .url({ protocol: /^https$/, error: 'Give an https address.' })
      .max(2_048)
      .optional()
      .describe('Where mail programs load it. Never fetched by the service.'),
    assetId: idOf('asset').optional().describe('A picture of the workspace; it is then public under /media.'),
  })
  .superRefine((logo, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (logo.url === undefined && logo.assetId === undefined)
      refuse('url', 'Give the https address of the logo as url, or an asset of the workspace as assetId.');
    else if (logo.url !== undefined && logo.assetId !== undefined)
      refuse('assetId', 'Give a url or an assetId, not both.');
  });

const shownLogo = z.object({
  url: z.string().describe('Where it is loaded from.'),
  assetId: z.string().optional().describe('Where the logo is an asset.'),
});

const colours = { primary: colour, secondary: colour, accent: colour, background: colour, text: colour };
const shownPalette = z.object(colours);
const shownFonts = z.object({ heading: font, body: font });
const shownLogos = z.object({ light: shownLogo.nullable(), dark: shownLogo.nullable(), mark: shownLogo.nullable() });
const shownVoice = z.object({
  tone: words.nullable(),
  personality: words.nullable(),
  do: lines.describe('What texts should do, a line each.'),
  dont: lines.describe('What texts should not do, a line each.'),
  sample: words.nullable().describe('A text that sounds right.'),
});

export type Palette = z.output<typeof shownPalette>;
export type Fonts = z.output<typeof shownFonts>;
export type Font = z.output<typeof font>;
export type Logo = z.output<typeof shownLogo>;
export type Logos = z.output<typeof shownLogos>;
export type GivenLogo = z.output<typeof givenLogo>;
/** A logo as it is stored. The URL of an asset is made when the logo is shown. */
export type KeptLogo = { readonly url: string } | { readonly assetId: string };
export type KeptLogos = Readonly<Record<keyof Logos, KeptLogo | null>>;
export type Voice = z.output<typeof shownVoice>;

const givenPalette = z
  .strictObject({
    primary: colour.nullable(),
    secondary: colour.nullable(),
    accent: colour.nullable(),
    background: colour.nullable(),
    text: colour.nullable(),
  })
  .partial();
const givenFonts = z.strictObject({ heading: font.nullable(), body: font.nullable() }).partial();

const givenTheme = z.strictObject({
  id: idOf('thm').optional().describe('Of a theme that the brand has: it keeps its id. Without one it is a new theme.'),
  name,
  palette: givenPalette.optional(),
  fonts: givenFonts.optional(),
  logo: givenLogo.nullable().optional(),
  radius: radius.default(8),
});

export type GivenTheme = z.output<typeof givenTheme>;

/** The fields of the input apart from the name. null stands for the neutral default. */
export const brandFields = {
  is_default: z.boolean().optional().describe('true makes it the default in place of the one that is.'),
  voice: z
    .strictObject({
      tone: words.nullable(),
      personality: words.nullable(),
      do: lines.nullable(),
      dont: lines.nullable(),
      sample: words.nullable(),
    })
    .partial()
    .nullable()
    .optional(),
  palette: givenPalette.nullable().optional(),
  fonts: givenFonts.nullable().optional(),
  logos: z
    .strictObject({ light: givenLogo.nullable(), dark: givenLogo.nullable(), mark: givenLogo.nullable() })
    .partial()
    .nullable()
    .optional(),
  themes: z
    .array(givenTheme)
    .max(100)
    .nullable()
    .optional()
    .describe(`At most ${maxThemes}. What a theme leaves out, it takes from its brand as it is then.`),
};

export const brandName = name;

const given = z.object(brandFields);
export type BrandFields = z.output<typeof given>;

export const themeResource = z
  .object({
    id: z.string().describe('Prefix thm_; what themeId of a template names.'),
    name: z.string(),
    palette: shownPalette,
    fonts: shownFonts,
    logo: shownLogo.nullable(),
    radius,
  })
  .meta({ id: 'BrandTheme' });

export const brandResource = z
  .object({
    id: z.string().describe('Prefix brd_.'),
    name: z.string(),
    is_default: z.boolean(),
    voice: shownVoice,
    palette: shownPalette,
    fonts: shownFonts,
    logos: shownLogos,
    themes: z.array(themeResource),
    warnings: z
      .array(z.object({ path: z.string(), code: z.literal('contrast_low'), message: z.string() }))
      .describe('Text that is hard to read: a contrast below 4.5 to 1 (WCAG 2.2, AA). It is accepted all the same.'),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Brand' });
