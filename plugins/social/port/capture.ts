// What a network adds that keeps posts in the process: the cards of the development inbox, and faults on demand.

import type { SocialNetwork } from './network.ts';
import type { MediaKind } from './rules.ts';

/** A post that stayed in the process. Each part of a thread is one. */
export interface CapturedPost {
  readonly id: string;
  readonly channelId: string;
  readonly postId: string;
  readonly accountRef: string;
  readonly text: string;
  readonly media: readonly { readonly assetId: string; readonly kind: MediaKind; readonly alt: string }[];
  readonly linkUrl: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The part of the thread, from 0. */
  readonly part: number;
  readonly at: number;
}

/**
 * What the network does from now on. `rejected`: it refuses posts. `limited`: it has no room for 15 minutes. `disconnected`: it
 * refuses the credentials. `down`: it does not answer. `blind`: it answers no question about posts. `breaks before` and `breaks
 * after`: the next post is lost, or its answer; once.
 */
export const captureTroubles = [
  'rejected',
  'limited',
  'disconnected',
  'down',
  'blind',
  'breaks before',
  'breaks after',
] as const;
export type CaptureTrouble = (typeof captureTroubles)[number];

/** The posts of one network, and its faults. */
export interface CaptureControl {
  /** What people would see now, oldest first. */
  posts(): readonly CapturedPost[];
  readonly trouble: CaptureTrouble | null;
  /** null: it works again. */
  setTrouble(trouble: CaptureTrouble | null): void;
  /** Forgets all posts. */
  clear(): void;
}

/** A network that keeps posts in the process. */
export interface CapturingNetwork extends SocialNetwork {
  readonly capture: CaptureControl;
}

/** Whether a network keeps its posts in the process. */
export const isCapturing = (network: SocialNetwork): network is CapturingNetwork => 'capture' in network;
