// A picture independent of its format: shapes in the order of painting, in units of one module. Made by compose.ts.
import type { Outline } from './outline.ts';

/** A colour as #rrggbb, or a linear gradient between two points. */
export type Paint =
  | string
  | {
      readonly from: string;
      readonly to: string;
      readonly start: readonly [number, number];
      readonly end: readonly [number, number];
    };

/** A filled outline (even-odd rule if it has holes), or a line with round ends and this width. */
export type Shape =
  | { readonly kind: 'fill'; readonly outline: Outline; readonly paint: Paint; readonly holes?: boolean }
  | { readonly kind: 'line'; readonly outline: Outline; readonly colour: string; readonly width: number };

/** Pixels of a logo, four bytes each: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** The same picture as PNG. */
  readonly png: Uint8Array;
}

/** A picture. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** The background colour of the whole picture. In print it also fills the bleed. */
  readonly ground: string;
  readonly shapes: readonly Shape[];
  readonly image?: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly pixels: Pixels;
  };
}
