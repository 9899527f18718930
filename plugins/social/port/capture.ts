// A network that keeps posts in the process instead of publishing them, for the development inbox and for simulated faults.

import type { SocialNetwork } from './network.ts';
import type { MediaKind } from './rules.ts';

/** A post that stayed in the process. Each part of a thread is a post of its own. */
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
 * A simulated fault of the network. `rejected`: it refuses posts. `limited`: it accepts no posts for 15 minutes. `disconnected`: it
 * refuses the credentials. `down`: it does not answer. `blind`: it does not answer questions about posts. `breaks before`: the next
 * post is lost, once. `breaks after`: the response to the next post is lost, once.
 */
export const simulatedFaults = [
  'rejected',
  'limited',
  'disconnected',
  'down',
  'blind',
  'breaks before',
  'breaks after',
] as const;
export type SimulatedFault = (typeof simulatedFaults)[number];

/** The posts of one network, and its faults. */
export interface CaptureControl {
  /** The posts that people would see now, oldest first. */
  posts(): readonly CapturedPost[];
  readonly simulatedFault: SimulatedFault | null;
  /** null: the network works again. */
  simulateFault(fault: SimulatedFault | null): void;
  /** Removes all posts. */
  clear(): void;
}

/** A network that keeps posts in the process. */
export interface CapturingNetwork extends SocialNetwork {
  readonly capture: CaptureControl;
}

export const isCapturing = (network: SocialNetwork): network is CapturingNetwork => 'capture' in network;
