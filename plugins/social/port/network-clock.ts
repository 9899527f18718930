// Reads the clock of a network from its responses, because a probe looks for posts since the start of a publication, and posts have
// the times of the network's clock. Called when a connector is connected, and by the job that probes.
import type { Outgoing } from '../../../core/index.ts';
import type { SocialAdapter } from './adapter.ts';

/** The limit in milliseconds: a clock that is further behind is ignored. */
const maxBehindMs = 3_600_000;

/** The network's clock, as one connector's responses report it. */
export interface NetworkClock {
  /** The port with which the adapter makes its requests. */
  readonly outgoing: Outgoing;
  /** The time by which the network's clock was behind ours at its last response, in milliseconds; 0 if not behind or unknown. `now`: our time. */
  behindMs(now: number): number;
}

const clocks = new WeakMap<SocialAdapter, NetworkClock>();

/** Reads the `Date` header of responses (RFC 9110, section 6.6.1), and adds the `Age` of cached responses. */
export function readNetworkClock(outgoing: Outgoing): NetworkClock {
  let lastResponseDate: { readonly date: number; readonly at: number } | undefined;
  return {
    outgoing: {
      check: (url) => outgoing.check(url),
      connect: (connection) => outgoing.connect(connection),
      close: () => outgoing.close(),
      async request(request) {
        const response = await outgoing.request(request);
        const { date = '', age = '0' } = response.headers;
        const time = Date.parse(date) + Number(age) * 1_000;
        if (Number.isFinite(time)) lastResponseDate = { date: time, at: performance.now() };
        return response;
      },
    },
    behindMs(now) {
      if (lastResponseDate === undefined) return 0;
      const behind = now - (lastResponseDate.date + performance.now() - lastResponseDate.at);
      return behind > 0 && behind <= maxBehindMs ? behind : 0;
    },
  };
}

/** Remembers the clock of an adapter, and returns the adapter. */
export function withClock(adapter: SocialAdapter, clock: NetworkClock): SocialAdapter {
  clocks.set(adapter, clock);
  return adapter;
}

/** The time by which the clock of an adapter's network is behind, in milliseconds. `begun`: our time, with `performance.now()` at that time. */
export const behindOf = (adapter: SocialAdapter, begun: { readonly now: number; readonly steady: number }): number =>
  clocks.get(adapter)?.behindMs(begun.now + performance.now() - begun.steady) ?? 0;
