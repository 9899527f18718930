// The schema of brands as callers send and receive them.
import { idOf, isoTime, z } from '../../core/index.ts';

/** The maximum number of brands in a workspace. */
export const maxBrands = 50;
/** The maximum number of themes in a brand. */
export const maxThemes = 20;

const shortText = z.string().max(2_000);
const lines = z.array(z.string().min(1).max(2_000)).max(20);
const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb.')
  .describe('#rrggbb');
const font = z.strictObject({
  family: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 -]{0,59}$/, 'Letters, digits, spaces and hyphens, at most 60.'),
  fallback: z.enum(['sans', 'serif', 'mono']).describe('Used for readers whose device does not have the family.'),
});
const radius = z.int().min(0).max(40).describe('The radius of corners in px.');
const name = z.string().trim().min(1).max(200);

/** A postal address in lines. Spaces around lines and empty lines have no meaning. */
const postalAddress = z
  .string()
  .max(2_000)
  .refine(
    (text) => !/\p{Cc}/u.test(text.replace(/[\r\n\t]/g, '')),
    'An address has no control characters except line breaks.',
  )
  .transform((text) =>
    text
      .split(/\r\n?|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n'),
  );
const webPage = z.url({ protocol: /^https$/, error: 'Give an https address.' }).max(2_048);

/** A logo in the input. */
const logoInput = z
  .strictObject({
    url: z
      .url({ protocol: /^https$/, error: 'Give an https address.' })
      .max(2_048)
      .optional()
      .describe('Mail programs load it from here. The service never fetches it.'),
    assetId: idOf('asset').optional().describe('A picture of the workspace; it is then public under /media.'),
  })
  .superRefine((logo, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (logo.url === undefined && logo.assetId === undefined)
      refuse('url', 'Give the https address of the logo as url, or an asset of the workspace as assetId.');
    else if (logo.url !== undefined && logo.assetId !== undefined)
      refuse('assetId', 'Give a url or an assetId, not both.');
  });

const logoView = z.object({
  url: z.string().describe('The URL from which it is loaded.'),
  assetId: z.string().optional().describe('Only if the logo is an asset.'),
});

const colours = { primary: colour, secondary: colour, accent: colour, background: colour, text: colour };
const paletteView = z.object(colours);
const fontsView = z.object({ heading: font, body: font });
const logosView = z.object({ light: logoView.nullable(), dark: logoView.nullable(), mark: logoView.nullable() });
const voiceView = z.object({
  tone: shortText.nullable(),
  personality: shortText.nullable(),
  do: lines.describe('What texts should do: one rule each.'),
  dont: lines.describe('What texts should not do: one rule each.'),
  sample: shortText.nullable().describe('A text that sounds right.'),
});

export type Palette = z.output<typeof paletteView>;
export type Fonts = z.output<typeof fontsView>;
export type BrandLogo = z.output<typeof logoView>;
export type BrandLogos = z.output<typeof logosView>;
export type LogoInput = z.output<typeof logoInput>;
/** A logo as it is stored. The URL of an asset is made when the logo is shown. */
export type StoredLogo = { readonly url: string } | { readonly assetId: string };
export type StoredLogos = Readonly<Record<keyof BrandLogos, StoredLogo | null>>;
export type Voice = z.output<typeof voiceView>;

const paletteInput = z
  .strictObject({
    primary: colour.nullable(),
    secondary: colour.nullable(),
    accent: colour.nullable(),
    background: colour.nullable(),
    text: colour.nullable(),
  })
  .partial();
const fontsInput = z.strictObject({ heading: font.nullable(), body: font.nullable() }).partial();

const themeInput = z.strictObject({
  id: idOf('thm')
    .optional()
    .describe('The id of an existing theme of the brand. An entry without an id is a new theme.'),
  name,
  palette: paletteInput.optional(),
  fonts: fontsInput.optional(),
  logo: logoInput.nullable().optional(),
  radius: radius.default(8),
});

export type ThemeInput = z.output<typeof themeInput>;

/** The fields of the input apart from the name. null means the neutral default. */
export const brandFields = {
  is_default: z.boolean().optional().describe('true makes it the default in place of the current one.'),
  voice: z
    .strictObject({
      tone: shortText.nullable(),
      personality: shortText.nullable(),
      do: lines.nullable(),
      dont: lines.nullable(),
      sample: shortText.nullable(),
    })
    .partial()
    .nullable()
    .optional(),
  palette: paletteInput.nullable().optional(),
  fonts: fontsInput.nullable().optional(),
  logos: z
    .strictObject({ light: logoInput.nullable(), dark: logoInput.nullable(), mark: logoInput.nullable() })
    .partial()
    .nullable()
    .optional(),
  postal_address: postalAddress
    .nullable()
    .optional()
    .describe('The postal address of the sender, in lines. Marketing mail shows it; many countries require it.'),
  imprint_url: webPage.nullable().optional().describe('The page that says who is responsible. Public pages link it.'),
  privacy_url: webPage.nullable().optional().describe('The privacy policy. Public pages link it.'),
  themes: z
    .array(themeInput)
    .max(100)
    .nullable()
    .optional()
    .describe(`At most ${maxThemes}. Values that a theme leaves out come from its brand at that time.`),
};

export const brandName = name;

const brandInput = z.object(brandFields);
export type BrandFields = z.output<typeof brandInput>;

export const themeResource = z
  .object({
    id: z.string().describe('Prefix thm_; what themeId of a template names.'),
    name: z.string(),
    palette: paletteView,
    fonts: fontsView,
    logo: logoView.nullable(),
    radius,
  })
  .meta({ id: 'BrandTheme' });

export const brandResource = z
  .object({
    id: z.string().describe('Prefix brd_.'),
    name: z.string(),
    is_default: z.boolean(),
    voice: voiceView,
    palette: paletteView,
    fonts: fontsView,
    logos: logosView,
    postal_address: z.string().nullable(),
    imprint_url: z.string().nullable(),
    privacy_url: z.string().nullable(),
    themes: z.array(themeResource),
    warnings: z
      .array(z.object({ path: z.string(), code: z.literal('contrast_low'), message: z.string() }))
      .describe('Text that is hard to read: a contrast below 4.5 to 1 (WCAG 2.2, AA). It is accepted all the same.'),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: 'Brand' });
