// Look-ups of DNS records. The default asks the servers of this machine.
import { Resolver } from 'node:dns/promises';

/** Asks DNS. Both functions throw an error whose `code` is ENOTFOUND or ENODATA where there is no such record. */
export interface DnsResolver {
  /** TXT records of a name, each in its parts. */
  resolveTxt(name: string): Promise<readonly (readonly string[])[]>;
  resolveCname(name: string): Promise<readonly string[]>;
}

/** What DNS says of a name: its records, none for certain, or nothing in time. */
export type Answer = { readonly records: readonly string[] } | { readonly failed: string };

const absent = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'NODATA']);

/** The resolver of one round of look-ups; each try of a server has its own limit. */
export const systemResolver = (timeoutMs: number): DnsResolver =>
  new Resolver({ timeout: Math.max(100, Math.floor(timeoutMs / 2)), tries: 2 });

/** Asks within the signal's time. Never throws. */
export async function ask(look: Promise<readonly string[]>, signal: AbortSignal): Promise<Answer> {
  let stop: (() => void) | undefined;
  const over = new Promise<Answer>((resolve) => {
    stop = () => resolve({ failed: 'no answer in time' });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  const answer = look.then(
    (records): Answer => ({ records }),
    (error: unknown): Answer => {
      const code = String((error as { code?: unknown } | null)?.code ?? 'unknown error');
      return absent.has(code) ? { records: [] } : { failed: code };
    },
  );
  try {
    return await Promise.race([answer, over]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
