// The style of a canvas, its colours, and the shapes of its layers. Pure.
import type { ComposedLayer, Font } from '../schema.ts';
import { contrast, readableOn } from './colours.ts';

/** The parts of the brand that pictures show. */
export interface CanvasStyle {
  /** Empty if there is no brand. */
  readonly name: string;
  readonly palette: {
    readonly primary: string;
    readonly secondary: string;
    readonly accent: string;
    readonly background: string;
    readonly text: string;
  };
  readonly fonts: { readonly heading: Font; readonly body: Font };
  /** The logos that are assets. */
  readonly logos: readonly ('light' | 'dark' | 'mark')[];
}

/** A box in px of the canvas. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const toInteger = (value: number): number => Math.round(value);
export const rounded = ({ x, y, width, height }: Box): Box => ({
  x: toInteger(x),
  y: toInteger(y),
  width: Math.max(1, toInteger(width)),
  height: Math.max(1, toInteger(height)),
});

export const shape = (form: 'rect' | 'ellipse', box: Box, fill: string, opacity = 1): ComposedLayer => ({
  kind: 'shape',
  shape: form,
  ...rounded(box),
  rotation: 0,
  opacity,
  fill,
  stroke: null,
});

export interface CanvasColours {
  readonly ground: string;
  readonly ink: string;
  /** A contrasting colour for small shapes. */
  readonly mark: string;
  /** The colour of shapes under texts. */
  readonly soft: string;
}

export function coloursOf({ palette: { primary, secondary, accent, background, text } }: CanvasStyle): CanvasColours {
  const ink = readableOn(primary, [background, text]);
  const standsOut = (colour: string): boolean => contrast(colour, primary) >= 1.6;
  return {
    ground: primary,
    ink,
    mark: [accent, secondary, ink].find(standsOut) ?? ink,
    soft: [secondary, accent, ink].find((colour) => contrast(colour, primary) >= 1.12) ?? ink,
  };
}
