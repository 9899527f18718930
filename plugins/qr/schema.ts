// The input and output schemas of QR designs.
import { idOf, isoTime, z } from '../../core/index.ts';
import { missingGlyphs } from './painter/lettering.ts';
import { wifiFaults } from './payload/wifi.ts';

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb.')
  .describe('#rrggbb');

const dotStyles = ['square', 'rounded', 'dots', 'diamond'] as const;
const cornerStyles = ['square', 'rounded', 'circle'] as const;
const corrections = ['L', 'M', 'Q', 'H'] as const;
const frameKinds = ['none', 'border', 'banner-bottom', 'banner-top', 'bubble'] as const;
/** The formats of a render. */
export const formats = ['svg', 'png', 'webp', 'png-print', 'pdf'] as const;

export type DotStyle = (typeof dotStyles)[number];
export type CornerStyle = (typeof cornerStyles)[number];
export type ErrorCorrection = (typeof corrections)[number];
export type QrFormat = (typeof formats)[number];

/** The maximum number of bytes of a static payload in UTF-8. */
export const maxPayload = 1_200;

const gradient = z.strictObject({
  from: colour,
  to: colour,
  angle: z.number().min(0).max(360).describe('In degrees: 0 from left to right, 90 from top to bottom.'),
});

const styleFields = {
  foreground: colour,
  background: colour,
  dots: z.enum(dotStyles),
  corners: z.enum(cornerStyles).describe('The form of the three finder patterns.'),
  eyes: colour.nullable().describe('The colour of the finder patterns; null for the colour of the modules.'),
  errorCorrection: z.enum(corrections).describe('How much of the code may be damaged: L 7 %, M 15 %, Q 25 %, H 30 %.'),
  margin: z.int().min(0).max(10).describe('The quiet zone in modules. Scanners want 4.'),
  logoAssetId: idOf('asset').nullable().describe('A picture in the middle of the code; it takes the place of modules.'),
  gradient: gradient.nullable().describe('Colours the modules in place of foreground.'),
};

/** A complete style. */
export const styleView = z.object(styleFields);
export type QrStyle = z.output<typeof styleView>;

/** An omitted field keeps its value; in a new design it gets its default. */
export const styleInput = z.strictObject(styleFields).partial();

const frameText = z
  .string()
  .min(1)
  .max(30)
  .superRefine((text, context) => {
    const missingLetters = missingGlyphs(text);
    if (missingLetters.length > 0)
      context.addIssue({
        code: 'custom',
        message: `The letters ${missingLetters.slice(0, 5).join(', ')} are not available in frames: give Latin letters, digits and common signs.`,
      });
  });

export const frameView = z.object({
  kind: z.enum(frameKinds),
  text: z.string().nullable(),
  colour: colour.nullable().describe("null for the style's foreground."),
});
export type QrFrame = z.output<typeof frameView>;

export const frameInput = z
  .strictObject({
    kind: z.enum(frameKinds),
    text: frameText.nullable().optional().describe('Of banner-bottom, banner-top and bubble; at most 30 characters.'),
    colour: colour.nullable().optional().describe("(Default: the style's foreground)"),
  })
  .superRefine(({ kind, text }, context) => {
    const hasText = kind !== 'none' && kind !== 'border';
    const isTextGiven = text !== undefined && text !== null;
    if (hasText === isTextGiven) return;
    const message = hasText
      ? `The frame ${kind} needs a text, such as Scan me.`
      : `The frame ${kind} has no text. Leave it out.`;
    context.addIssue({ code: 'custom', path: ['text'], message });
  })
  .transform(({ kind, text = null, colour: given = null }): QrFrame => ({ kind, text, colour: given }));

const word = (max: number) => z.string().min(1).max(max);

const shortLink = z.strictObject({ kind: z.literal('shortLink'), linkId: idOf('lnk') });
const staticPayload = z.strictObject({
  kind: z.literal('static'),
  payload: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= maxPayload, `At most ${maxPayload} bytes as UTF-8.`)
    .describe('Any text, such as a URL. Encoded as it is.'),
});
const wifiFields = {
  kind: z.literal('wifi'),
  ssid: word(32).describe('The name of the network; at most 32 bytes.'),
  password: z.string().min(1).max(63).optional(),
  encryption: z.enum(['WPA', 'WEP', 'nopass']).describe('WPA is also WPA2 and WPA3.'),
  hidden: z.boolean().default(false).describe('Whether the network does not show its name.'),
};
const wifi = z.strictObject(wifiFields).superRefine((fields, context) => {
  for (const { path, message } of wifiFaults(fields)) context.addIssue({ code: 'custom', path: [path], message });
});
const vcard = z.strictObject({
  kind: z.literal('vcard'),
  firstName: word(100),
  lastName: word(100),
  organisation: word(100).optional(),
  title: word(100).optional(),
  phones: z
    .array(z.string().regex(/^\+?[0-9 ().-]{3,30}$/, 'Give a telephone number.'))
    .max(5)
    .default([]),
  emails: z.array(z.email().max(254)).max(5).default([]),
  url: z
    .url({ protocol: /^https?$/, error: 'Give a http or https address.' })
    .max(500)
    .optional(),
  address: word(300).optional().describe('The whole address as one text. Line breaks are kept.'),
  note: word(300).optional(),
});

/** The content of a code. */
export const encodes = z.discriminatedUnion('kind', [shortLink, staticPayload, wifi, vcard]);
export type QrContent = z.output<typeof encodes>;
export type Vcard = z.output<typeof vcard>;

export const label = z.string().min(1).max(200);
export const tags = z.array(z.string().min(1).max(50)).max(20);

/** The fields of a new design. */
export const newDesign = {
  encodes,
  label: label.nullable().optional(),
  tags: tags.optional(),
  style: styleInput
    .optional()
    .describe('Fields that are left out have their defaults; errorCorrection is H with a logo, else M.'),
  frame: frameInput.nullable().optional(),
};

export const qrResource = z
  .object({
    qrId: z.string().describe('Prefix qr_.'),
    encodes: z.discriminatedUnion('kind', [shortLink, staticPayload, z.object(wifiFields), vcard]),
    label: z.string().nullable(),
    tags: z.array(z.string()),
    style: styleView,
    frame: frameView,
    payload: z.string().describe('The exact text that scanners read.'),
    sandbox: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'QrDesign' });

/** The style of a new design if none is given. */
export const defaultStyle: QrStyle = {
  foreground: '#000000',
  background: '#ffffff',
  dots: 'square',
  corners: 'square',
  eyes: null,
  errorCorrection: 'M',
  margin: 4,
  logoAssetId: null,
  gradient: null,
};

export const noFrame: QrFrame = { kind: 'none', text: null, colour: null };
