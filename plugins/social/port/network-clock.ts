// The clock of a network, as its answers tell it: a probe looks for posts since the begin of a publication, and their times are the
// network's. Called where a connector is connected, and by the job that probes.
import type { Outgoing } from '../../../core/index.ts';
import type { SocialAdapter } from './adapter.ts';

/** A clock that is further behind is not believed. */
const maxBehindMs = 3_600_000;

/** What the answers of one connector said. */
export interface NetworkClock {
  /** The port with which the adapter makes its requests. */
  readonly outgoing: Outgoing;
  /** By how many milliseconds the network was behind at its last answer; 0 where it was not, or does not say. `now`: our time. */
  behindMs(now: number): number;
}

const clocks = new WeakMap<SocialAdapter, NetworkClock>();

/** Reads the `Date` of answers (RFC 9110, section 6.6.1), with the age of those from a cache. */
export function readNetworkClock(outgoing: Outgoing): NetworkClock {
  let said: { readonly date: number; readonly at: number } | undefined;
  return {
    outgoing: {
      check: (url) => outgoing.check(url),
      connect: (connection) => outgoing.connect(connection),
      close: () => outgoing.close(),
      async request(request) {
        const answer = await outgoing.request(request);
        const { date = '', age = '0' } = answer.headers;
        const time = Date.parse(date) + Number(age) * 1_000;
        if (Number.isFinite(time)) said = { date: time, at: performance.now() };
        return answer;
      },
    },
    behindMs(now) {
      if (said === undefined) return 0;
      const behind = now - (said.date + performance.now() - said.at);
      return behind > 0 && behind <= maxBehindMs ? behind : 0;
    },
  };
}

/** Remembers the clock of an adapter, and answers the adapter. */
export function withClock(adapter: SocialAdapter, clock: NetworkClock): SocialAdapter {
  clocks.set(adapter, clock);
  return adapter;
}

/** By how much the network of an adapter is behind now. `begun`: a time of ours, and what `performance.now()` was then. */
export const behindOf = (adapter: SocialAdapter, begun: { readonly now: number; readonly steady: number }): number =>
  clocks.get(adapter)?.behindMs(begun.now + performance.now() - begun.steady) ?? 0;
