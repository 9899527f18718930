// The addresses of a name, as the machine's DNS servers and its hosts file say. Called by the guard, with names of others.
// `dns.lookup` waits in a thread of the process, and there are few: a DNS server that never answers would hold up every
// look-up of the program. So DNS is asked without threads, and only names that it does not have are looked up in a thread,
// one at a time.
import { lookup, Resolver } from 'node:dns/promises';

/** Answers every address of a name. Rejects where there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Asks DNS: the servers given, or those of the machine. Each question starts afresh; nothing is remembered. */
export async function askDns(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (found.length === 0) throw faults.find(isOutage) ?? faults[0];
  return found;
}

/** Whether DNS said nothing, and not that there is no such name. */
function isOutage(fault: unknown): boolean {
  return !['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes((fault as { code?: string }).code ?? '');
}

/** The default: DNS, and for a name that it does not have the hosts file. */
export function createSystemResolve(): Resolve {
  let previous: Promise<unknown> = Promise.resolve();
  const askSystem = (name: string) => {
    const found = previous.then(() => lookup(name, { all: true }));
    previous = found.catch(() => undefined);
    return found;
  };
  return (name) =>
    askDns(name).catch(async (fault: unknown) => {
      if (isOutage(fault)) throw fault;
      return (await askSystem(name)).map(({ address }) => address);
    });
}
