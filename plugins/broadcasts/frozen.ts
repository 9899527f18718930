// The parts that scheduling freezes. The broadcast is sent with them, even if templates or segments change later.
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
  /** The names of the variables of the broadcast that its template accepts. */
  readonly variables: readonly string[];
}

/** The frozen parts of a broadcast. */
export interface FrozenBroadcast {
  readonly template: FrozenTemplate;
  readonly audience: FrozenAudience;
  /** Empty without an experiment. */
  readonly variants: readonly FrozenVariant[];
}

/** The frozen parts; null before scheduling. */
export const frozenOf = ({ frozen }: Pick<BroadcastRow, 'frozen'>): FrozenBroadcast | null =>
  frozen as FrozenBroadcast | null;
