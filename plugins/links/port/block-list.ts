// The block-list port: what a program that knows harmful URLs tells about destinations. Called by jobs, never inside a
// transaction and never while a visitor waits.
import { definePort, type PortAdapter } from '../../../core/index.ts';

/** What a list says of a URL. */
export interface BlockListEntry {
  /** `suspicious`: the link goes on and is reported. `malicious`: it is disabled. */
  readonly verdict: 'suspicious' | 'malicious';
  /** A sentence for the program's own people, such as `Listed as phishing.` At most 500 characters are kept. */
  readonly reason: string;
}

/** Judges destinations. */
export interface BlockListAdapter extends PortAdapter {
  /**
   * The entries of those URLs that are listed, by URL; the others are clean. At most 100 URLs a call. `signal` ends it after 15
   * seconds. A throw is tried again later, and changes nothing meanwhile.
   */
  check(urls: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, BlockListEntry>>;
}

/** The id of the adapter that lists nothing: no check is queued for it. */
export const noBlockList = 'none';

export const blockList = definePort<BlockListAdapter>({
  description: 'Names destinations of short links that are harmful.',
  methods: ['check'],
  default: () => ({ id: noBlockList, check: async () => new Map() }),
});

declare module '../../../core/contract/open.ts' {
  interface Ports {
    linkBlockList: { plugin: 'links'; adapter: BlockListAdapter };
  }
}
