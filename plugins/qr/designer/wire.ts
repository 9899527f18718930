// The responses of the designer's routes. Types only, shared with the page.
import type { z } from '../../../core/index.ts';
import type { QrPrices } from '../options.ts';
import type { qrResource } from '../schema.ts';

/** The workspaces that the visitor may see, the name of the service, and the prices. */
export interface QrWorkspaceList {
  readonly service: { readonly name: string };
  readonly prices: Required<QrPrices>;
  readonly data: readonly {
    readonly id: string;
    readonly name: string;
    /** Whether the visitor may save designs. */
    readonly may_change: boolean;
  }[];
  readonly has_more: boolean;
}

export type QrDesign = z.output<typeof qrResource>;

/** An item to choose on the page. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The designs of a workspace, and the links and logos that designs may use. */
export interface DesignerData {
  readonly designs: readonly QrDesign[];
  readonly links: readonly Choice[];
  readonly logos: readonly Choice[];
}

/**
 * The preview of a design that is not stored: its picture and the text that scanners read, or the reason why there is none. `isComplete`:
 * the fields are complete, and the picture or the logo is the problem.
 */
export type QrPreview =
  | { readonly readable: true; readonly svg: string; readonly payload: string }
  | { readonly readable: false; readonly isComplete: boolean; readonly message: string };

/** A finished export. */
export interface QrExport {
  readonly contentType: string;
  readonly dataBase64: string;
  readonly filename: string;
}
