// What the makers of items get.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { shortened } from '../../../core/unstable.ts';
import type { Defaults } from '../../marketing/index.ts';
import type { CreationRow, ItemRow } from '../tables.ts';

export interface ItemSetting {
  readonly creation: CreationRow;
  readonly item: ItemRow;
  /** The items that it uses and that were built. */
  readonly used: readonly ItemRow[];
  readonly defaults: Defaults;
}

/** What was made, in the transaction that ends the item. */
export interface Made {
  readonly target: { readonly kind: string; readonly id: string };
  /** It is built in the background, by its own area. (Default: false) */
  readonly isBuilding?: boolean;
  /** Its own area charges for it. (Default: false) */
  readonly paysItself?: boolean;
}

/** A reason why the item is not made here, or what stores it. */
export type Prepared = { readonly skipped: string } | { store(effects: TransactionContext): Promise<Made> };

/** Prepares an item outside any transaction: writes its texts. */
export type Maker = (ctx: JobContext, setting: ItemSetting) => Promise<Prepared>;

/** What an item is to be about, for a composer. */
export const briefOf = ({ creation, item }: ItemSetting): string =>
  [creation.brief, ...(creation.objective === null ? [] : [`The aim: ${creation.objective}`]), item.purpose].join(
    '\n\n',
  );

/** A name for lists. */
export const nameOf = ({ creation, item }: ItemSetting): string =>
  shortened(`${creation.name}: ${item.channel ?? item.kind.replace('_', ' ')}`, 200);
