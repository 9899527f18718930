import type { DnsResolver } from './dns/resolver.ts';

/** Options of `domainsPlugin`. */
export interface DomainsOptions {
  /**
   * The senders that are allowed for a domain, as mechanisms of its SPF record (RFC 7208): the senders of your mail provider,
   * such as
   * `['include:_spf.example.net']`. (Default: `['a', 'mx']`, the domain's own servers)
   */
  readonly spf?: readonly string[];
  /** The initial DMARC policy (RFC 7489). A domain that already has a policy keeps it. (Default: v=DMARC1; p=none) */
  readonly dmarc?: string;
  /** The host label for tracked links, below the domain. (Default: track) */
  readonly trackingLabel?: string;
  /** (Default: node:dns, with the servers of this machine) */
  readonly resolver?: DnsResolver;
  /** The maximum duration of the look-ups of one domain, in milliseconds. (Default: 5,000) */
  readonly timeoutMs?: number;
}
