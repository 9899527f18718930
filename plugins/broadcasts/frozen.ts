// What scheduling freezes: whatever is published or changed later, the broadcast is sent as it was decided on.
import type { FrozenFilter } from '../segments/index.ts';
import type { FrozenTemplate } from '../templates/index.ts';
import type { BroadcastRow } from './broadcasts.ts';

/** A list or a segment of an audience, with the filter that the segment had. */
export type FrozenPart = { readonly listId: string } | { readonly segmentId: string; readonly filter: FrozenFilter };

/** An audience whose segments no longer change. */
export interface FrozenAudience {
  readonly include: readonly FrozenPart[];
  readonly exclude: readonly FrozenPart[];
}

/** A variant of an experiment. */
export interface FrozenVariant {
  readonly name: string;
  readonly template: FrozenTemplate;
  /** (Default: the sender of the broadcast) */
  readonly from?: BroadcastRow['from'] | undefined;
  /** The names of the variables of the broadcast that its template takes. */
  readonly variables: readonly string[];
}

/** The frozen parts of a broadcast. */
export interface FrozenBroadcast {
  readonly template: FrozenTemplate;
  readonly audience: FrozenAudience;
  /** Empty without an experiment. */
  readonly variants: readonly FrozenVariant[];
}

/** What schedule froze; null before. */
export const frozenOf = ({ frozen }: Pick<BroadcastRow, 'frozen'>): FrozenBroadcast | null =>
  frozen as FrozenBroadcast | null;
