// The input and output schemas of compositions and their layers.
import { idOf, isoTime, z } from '../../core/index.ts';
import { presetIds } from './sizes.ts';

/** The smallest and the largest side of a canvas, in pixels. */
export const minSide = 16;
export const maxSide = 8_192;
/** The maximum number of layers of a composition. */
export const maxLayers = 100;
/** The maximum number of characters of all texts of a composition together. */
export const maxTexts = 20_000;
/** The formats of a render. */
export const formats = ['svg', 'png', 'webp', 'jpeg'] as const;
export type RenderFormat = (typeof formats)[number];

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb.')
  .describe('#rrggbb');
/** Layers may extend beyond the canvas, which clips them. */
const reach = 2 * maxSide;
const coordinate = z.number().min(-reach).max(reach);
const side = z.number().min(1).max(reach);

const font = z
  .strictObject({
    family: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 -]{0,59}$/, 'Letters, digits, spaces and hyphens, at most 60.'),
    fallback: z.enum(['sans', 'serif', 'mono']).describe('The fallback if the family is not installed.'),
  })
  .describe('Families of the machine that draws the picture.');
export type Font = z.output<typeof font>;

const box = {
  x: coordinate.describe('The left edge, in px of the canvas.'),
  y: coordinate.describe('The upper edge.'),
  width: side,
  height: side,
  rotation: z.number().min(-360).max(360).default(0).describe('Clockwise around the middle, in degrees.'),
  opacity: z.number().min(0).max(1).default(1),
};

const textFields = {
  kind: z.literal('text'),
  text: z.string().min(1).max(5_000).describe('Wrapped at the width. A text that is too high is cut with an ellipsis.'),
  font: font.default({ family: 'Helvetica', fallback: 'sans' }),
  size: z.number().min(1).max(2_000).describe('The size of the letters in px. Lines are 1.2 times as high.'),
  weight: z.int().min(100).max(900).multipleOf(100).default(400).describe('400 is regular, 700 bold.'),
  colour: colour.default('#1d2129'),
  align: z.enum(['left', 'center', 'right']).default('left'),
};
const imageFields = {
  kind: z.literal('image'),
  assetId: idOf('asset').describe('A picture of the asset library.'),
  fit: z
    .enum(['cover', 'contain', 'fill'])
    .default('cover')
    .describe('cover fills the box and cuts off the rest, contain shows all of the picture, fill stretches it.'),
};
const shapeFields = {
  kind: z.literal('shape'),
  shape: z.enum(['rect', 'ellipse', 'line']).describe('A line goes from the upper left corner to the lower right one.'),
  fill: colour.nullable().default(null),
  stroke: z
    .strictObject({ colour, width: z.number().min(0.5).max(1_000) })
    .nullable()
    .default(null),
};
const logoFields = {
  kind: z.literal('logo'),
  variant: z
    .enum(['light', 'dark', 'mark'])
    .default('light')
    .describe('Which logo of the brand. It must be an asset: nothing is fetched.'),
};
const qrFields = { kind: z.literal('qr'), qrId: idOf('qr').describe('Prefix qr_. A QR design of the workspace.') };

type Shape = {
  readonly shape: 'rect' | 'ellipse' | 'line';
  readonly fill: string | null;
  readonly stroke: object | null;
};
/** The fault of a shape that would be invisible. */
function shapeFault({ shape, fill, stroke }: Shape): string | undefined {
  if (shape === 'line')
    return stroke === null ? 'A line needs a stroke, such as { "colour": "#1d2129", "width": 4 }.' : undefined;
  return fill === null && stroke === null ? `A shape ${shape} needs a fill or a stroke.` : undefined;
}

/** A line may be horizontal or vertical, so one of its sides may be 0. */
const shapeBox = { ...box, width: z.number().min(0).max(reach), height: z.number().min(0).max(reach) };

const checkedShape = <T extends z.ZodRawShape>(shape: T) =>
  z.strictObject(shape).superRefine((input, context) => {
    const { shape: form, fill, stroke, width, height } = input as unknown as Shape & { width: number; height: number };
    const fault = shapeFault({ shape: form, fill, stroke });
    if (fault !== undefined)
      context.addIssue({ code: 'custom', path: [form === 'line' ? 'stroke' : 'fill'], message: fault });
    if (form === 'line' ? width + height === 0 : width === 0 || height === 0)
      context.addIssue({ code: 'custom', path: [width === 0 ? 'width' : 'height'], message: 'Give more than 0.' });
  });

const layerId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, 'Letters, digits, - and _, at most 40.')
  .describe('Kept as given; unique in the composition.');
const newId = {
  id: layerId.optional().describe('Kept as given; unique in the composition. (Default: a new id, lay_…)'),
};

/** A layer in the input. */
export const layerInput = z.discriminatedUnion('kind', [
  z.strictObject({ ...newId, ...box, ...textFields }),
  z.strictObject({ ...newId, ...box, ...imageFields }),
  checkedShape({ ...newId, ...shapeBox, ...shapeFields }),
  z.strictObject({ ...newId, ...box, ...logoFields }),
  z.strictObject({ ...newId, ...box, ...qrFields }),
]);
export type LayerInput = z.output<typeof layerInput>;

/** A layer that a composer may make. Kinds that need an id of the workspace are left out. */
export const composedLayer = z.discriminatedUnion('kind', [
  z.strictObject({ ...box, ...textFields }),
  checkedShape({ ...shapeBox, ...shapeFields }),
  z.strictObject({ ...box, ...logoFields }),
]);
export type ComposedLayer = z.output<typeof composedLayer>;

const shownId = { id: z.string() };
const layerView = z.discriminatedUnion('kind', [
  z.object({ ...shownId, ...box, ...textFields }),
  z.object({ ...shownId, ...box, ...imageFields }),
  z.object({ ...shownId, ...shapeBox, ...shapeFields }),
  z.object({ ...shownId, ...box, ...logoFields }),
  z.object({ ...shownId, ...box, ...qrFields }),
]);
export type Layer = z.output<typeof layerView>;
export type LayerOf<Kind extends Layer['kind']> = Extract<Layer, { kind: Kind }>;

export const layers = z
  .array(layerInput)
  .max(maxLayers)
  .describe(`In the order of painting: the lowest layer first. At most ${maxLayers}.`);

export const name = z.string().trim().min(1).max(200);
export const canvasSide = z.int().min(minSide).max(maxSide);
export const preset = z.enum(presetIds);

export const compositionResource = z
  .object({
    compositionId: z.string().describe('Prefix cmp_.'),
    name: z.string(),
    width: z.int().describe('In px.'),
    height: z.int(),
    cropPresetId: z.string().nullable().describe('Null if the size is given by width and height.'),
    brandId: z.string().nullable().describe('The brand whose logos it shows.'),
    layers: z.array(layerView),
    version: z.int().describe('Counts the changes, from 1.'),
    thumbnailUrl: z
      .string()
      .describe('A small WebP picture of this version, readable without a key for people who have the URL.'),
    sandbox: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'Composition' });
