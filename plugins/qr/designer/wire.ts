// What the designer's routes answer. Types only: its page is built on them.
import type { z } from '../../../core/index.ts';
import type { QrPrices } from '../options.ts';
import type { qrResource } from '../schema.ts';

/** The workspaces that the caller may see, the name of the service, and what designs cost. */
export interface WorkspaceList {
  readonly service: { readonly name: string };
  readonly prices: Required<QrPrices>;
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly has_more: boolean;
}

export type Design = z.output<typeof qrResource>;

/** What a choice of the page consists of: an id and its name. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The designs of a workspace, and what new ones may use. */
export interface Drawer {
  readonly designs: readonly Design[];
  readonly links: readonly Choice[];
  readonly logos: readonly Choice[];
}

/** A picture of a design that is not stored: what scanners read, or why they would not: a field is missing or wrong, or the picture is. */
export type Preview =
  | { readonly readable: true; readonly svg: string; readonly payload: string }
  | { readonly readable: false; readonly isComplete: boolean; readonly message: string };

/** A finished export. */
export interface Export {
  readonly contentType: string;
  readonly dataBase64: string;
  readonly filename: string;
}
