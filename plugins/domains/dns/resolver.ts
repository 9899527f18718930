// Look-ups of DNS records. The default resolver uses the DNS servers of this machine.
import { Resolver } from 'node:dns/promises';

/** Queries DNS. Both functions throw an error with the `code` ENOTFOUND or ENODATA if there is no such record. */
export interface DnsResolver {
  /** TXT records of a name. Each record is a list of its parts. */
  resolveTxt(name: string): Promise<readonly (readonly string[])[]>;
  resolveCname(name: string): Promise<readonly string[]>;
}

/** The result for a name: its records, possibly an empty list, or a failure. */
export type DnsLookupResult = { readonly records: readonly string[] } | { readonly failed: string };

const absent = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'NODATA']);

/** Names that never exist in DNS (RFC 6761): no server is asked. */
const reservedName = /(?:^|\.)(?:example|test|invalid|localhost)$/;

const noName = (): Error => Object.assign(new Error('There is no such name.'), { code: 'ENOTFOUND' });

/** The resolver for one round of look-ups. Each attempt of a server has its own time limit. */
export function systemResolver(timeoutMs: number): DnsResolver {
  const resolver = new Resolver({ timeout: Math.max(100, Math.floor(timeoutMs / 2)), tries: 2 });
  return {
    async resolveTxt(name) {
      if (reservedName.test(name)) throw noName();
      return resolver.resolveTxt(name);
    },
    async resolveCname(name) {
      if (reservedName.test(name)) throw noName();
      return resolver.resolveCname(name);
    },
  };
}

/** Waits for the look-up until the signal is aborted. Never throws. */
export async function queryDns(query: Promise<readonly string[]>, signal: AbortSignal): Promise<DnsLookupResult> {
  let stop: (() => void) | undefined;
  const timedOut = new Promise<DnsLookupResult>((resolve) => {
    stop = () => resolve({ failed: 'no answer in time' });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  const answer = query.then(
    (records): DnsLookupResult => ({ records }),
    (error: unknown): DnsLookupResult => {
      const code = String((error as { code?: unknown } | null)?.code ?? 'unknown error');
      return absent.has(code) ? { records: [] } : { failed: code };
    },
  );
  try {
    return await Promise.race([answer, timedOut]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
