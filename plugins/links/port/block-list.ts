// The block-list port: a list of harmful URLs that the program provides. Jobs call it, never inside a transaction and never while
// a visitor waits.
import { definePort, type PortAdapter } from '../../../core/index.ts';

/** The entry of a listed URL. */
export interface BlockListEntry {
  /** `suspicious`: the link stays active and is reported. `malicious`: the link is disabled. */
  readonly verdict: 'suspicious' | 'malicious';
  /** A sentence for the program's own staff, such as `Listed as phishing.` At most 500 characters are kept. */
  readonly reason: string;
}

/** Checks destinations. */
export interface BlockListAdapter extends PortAdapter {
  /**
   * Returns the entries of the listed URLs, by URL. URLs that are left out are clean. At most 100 URLs for each call. `signal`
   * aborts after 15 seconds. If the call throws, it is retried later and nothing changes meanwhile.
   */
  check(urls: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, BlockListEntry>>;
}

/** The id of the adapter that lists nothing. With it, no check is queued. */
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
