import type { DnsResolver } from './dns/resolver.ts';

/** Options of `domainsPlugin`. */
export interface DomainsOptions {
  /**
   * What may send for a domain, as mechanisms of its SPF record (RFC 7208): those of your mail provider, such as
   * `['include:_spf.example.net']`. (Default: `['a', 'mx']`, the domain's own servers)
   */
  readonly spf?: readonly string[];
  /** The DMARC policy to begin with (RFC 7489): a domain that has one keeps it. (Default: v=DMARC1; p=none) */
  readonly dmarc?: string;
  /** The label of the host for links that are tracked, below the domain. (Default: track) */
  readonly trackingLabel?: string;
  /** (Default: node:dns, with the servers of this machine) */
  readonly resolver?: DnsResolver;
  /** How long the look-ups of one domain may take, in milliseconds. (Default: 5,000) */
  readonly timeoutMs?: number;
}
