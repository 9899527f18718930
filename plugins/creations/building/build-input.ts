// The input and output of the makers of items.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import type { Defaults } from '../../marketing/index.ts';
import type { CreationRow, ItemRow } from '../tables.ts';

export interface BuildInput {
  readonly creation: CreationRow;
  readonly item: ItemRow;
  /** The built items that the item uses. */
  readonly used: readonly ItemRow[];
  readonly defaults: Defaults;
}

/** The object that was built. It is created in the transaction that ends the item. */
export interface BuiltItem {
  readonly target: { readonly kind: string; readonly id: string };
  /** The plugin of the object builds it in the background. (Default: false) */
  readonly isBuilding?: boolean;
  /** The plugin of the object charges for it. (Default: false) */
  readonly chargesItself?: boolean;
}

/** The reason why the item is skipped, or a function that stores the object. */
export type BuildPlan = { readonly skipped: string } | { store(ctx: TransactionContext): Promise<BuiltItem> };

/** Prepares an item: writes its texts. Called outside any transaction. */
export type ItemMaker = (ctx: JobContext, input: BuildInput) => Promise<BuildPlan>;

/** The brief of an item, for a composer. */
export const briefOf = ({ creation, item }: BuildInput): string =>
  [creation.brief, ...(creation.objective === null ? [] : [`The aim: ${creation.objective}`]), item.purpose].join(
    '\n\n',
  );

/** The name of the built object in lists. */
export const nameOf = ({ creation, item }: BuildInput): string =>
  shortened(`${creation.name}: ${item.channel ?? item.kind.replace('_', ' ')}`, 200);
