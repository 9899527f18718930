// The six layouts of the embedded composer: the position of the texts, and the shapes behind them. Pure.
import type { ComposedLayer } from '../schema.ts';
import { contrast, mix } from './colours.ts';
import { type Box, type CanvasColours, rounded, shape } from './shapes.ts';

export const layoutNames = ['circles', 'frame', 'panel', 'band', 'poster', 'edge'] as const;
export type DesignLayoutName = (typeof layoutNames)[number];

/** The canvas, and the height of the signature's row with its margins. */
interface LaidCanvas {
  readonly width: number;
  readonly height: number;
  readonly isBanner: boolean;
  readonly margin: number;
  readonly signHeight: number;
}

/** A layout, drawn for text from left to right. */
interface Layout {
  readonly align: 'start' | 'center';
  /** The vertical position of the block of texts in its area. */
  readonly vertical: 'top' | 'middle' | 'bottom';
  /** The part of the canvas that is left for texts and signature. */
  area(canvas: LaidCanvas): Box;
  decoration(canvas: LaidCanvas, colours: CanvasColours): ComposedLayer[];
}

const whole = ({ width, height }: LaidCanvas): Box => ({ x: 0, y: 0, width, height });

/** The highest share of `colour` over the ground at which text on it is still easy to read. */
const faintOf = ({ ink, ground }: CanvasColours, colour: string): number =>
  [0.35, 0.25, 0.15].find((share) => contrast(ink, mix(ground, colour, share)) >= 4.5) ?? 0.08;

/** The height to width ratio above which a canvas counts as tall. */
const tallRatio = 1.15;

/** Two circles that extend beyond the canvas, away from the text. A banner has one circle, and a bar at its left edge. */
function circles({ width, height, isBanner }: LaidCanvas, colours: CanvasColours): ComposedLayer[] {
  const { soft, mark } = colours;
  const faint = faintOf(colours, soft);
  if (isBanner) {
    const big = height * 2;
    return [
      shape('ellipse', { x: width - height * 1.35, y: -height * 0.35, width: big, height: big }, soft, faint),
      shape('rect', { x: 0, y: 0, width: Math.max(2, height * 0.05), height }, mark),
    ];
  }
  const big = Math.min(width, height) * 0.5 + Math.max(width, height) * 0.28;
  const small = big * 0.3;
  const isTall = height > width * tallRatio;
  const [bigY, smallY] = isTall ? [-big * 0.42, -small * 0.18] : [height - big * 0.6, height - small * 0.82];
  return [
    shape('ellipse', { x: width - big * 0.62, y: bigY, width: big, height: big }, soft, faint),
    shape('ellipse', { x: width - small * 0.8, y: smallY, width: small, height: small }, mark),
  ];
}

/** The side panel. On tall canvases it is above the texts. */
function panelBox({ width, height, isBanner }: LaidCanvas): Box {
  if (isBanner) return { x: 0, y: 0, width: height * 0.5, height };
  if (height > width * tallRatio) return { x: 0, y: 0, width, height: height * 0.22 };
  return { x: 0, y: 0, width: width * 0.2, height };
}

export const layouts: Readonly<Record<DesignLayoutName, Layout>> = {
  circles: { align: 'start', vertical: 'middle', area: whole, decoration: circles },
  frame: {
    align: 'center',
    vertical: 'middle',
    area: whole,
    decoration: ({ width, height, margin }, { mark }) => {
      const line = Math.max(2, Math.min(width, height) * 0.008);
      const inset = margin * 0.4;
      const box = rounded({ x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset });
      return [
        {
          ...{ kind: 'shape', shape: 'rect', ...box, rotation: 0, opacity: 1, fill: null },
          stroke: { colour: mark, width: Math.round(line) },
        },
      ];
    },
  },
  panel: {
    align: 'start',
    vertical: 'middle',
    area: (canvas) => {
      const { width, height } = canvas;
      const panel = panelBox(canvas);
      return panel.width === width
        ? { x: 0, y: panel.height, width, height: height - panel.height }
        : { x: panel.width, y: 0, width: width - panel.width, height };
    },
    decoration: (canvas, { mark, soft, ground }) => {
      const panel = panelBox(canvas);
      const side = Math.min(panel.width, panel.height) * 0.55;
      const dot = { x: panel.x + (panel.width - side) / 2, y: panel.y + (panel.height - side) / 2 };
      const inner = contrast(soft, mark) >= 1.3 ? soft : ground;
      return [shape('rect', panel, mark), shape('ellipse', { ...dot, width: side, height: side }, inner)];
    },
  },
  band: {
    align: 'start',
    vertical: 'middle',
    area: whole,
    decoration: ({ width, height, isBanner, margin, signHeight }, colours) => {
      const { ink, mark } = colours;
      const line = Math.max(2, Math.min(width, height) * 0.012);
      if (isBanner) return [shape('rect', { x: 0, y: height - line * 3, width, height: line * 3 }, mark)];
      const band = signHeight + margin * 1.3;
      return [
        shape('rect', { x: 0, y: height - band, width, height: band }, ink, Math.min(0.15, faintOf(colours, ink))),
        shape('rect', { x: 0, y: height - band - line, width, height: line }, mark),
      ];
    },
  },
  poster: {
    align: 'start',
    vertical: 'bottom',
    area: whole,
    decoration: ({ width, height }, colours) => {
      const { soft, mark } = colours;
      const big = Math.max(width, height) * 0.9;
      const small = Math.min(width, height) * 0.16;
      return [
        shape(
          'ellipse',
          { x: width - big * 0.7, y: -big * 0.62, width: big, height: big },
          soft,
          faintOf(colours, soft),
        ),
        shape('ellipse', { x: width - small * 0.6, y: -small * 0.4, width: small, height: small }, mark),
      ];
    },
  },
  edge: {
    align: 'start',
    vertical: 'top',
    area: whole,
    decoration: ({ width, height }, { mark }) => [
      shape('rect', { x: 0, y: 0, width: Math.max(2, Math.min(width, height) * 0.035), height }, mark),
    ],
  },
};

/** Mirrors layers for text from right to left. */
export const mirroredIn = (width: number, layers: readonly ComposedLayer[]): ComposedLayer[] =>
  layers.map((layer) => ({ ...layer, x: width - layer.x - layer.width }));

/** Chooses a layout by a text. The same text has the same layout. */
export function layoutFor(text: string): DesignLayoutName {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647;
  return layoutNames[hash % layoutNames.length] ?? 'circles';
}
