// The addresses of a name, from the machine's DNS servers and its hosts file. Called by the guard with users' names.
// `dns.lookup` blocks one of the few threads of the process, so a DNS server that never answers would delay every
// look-up of the program. Therefore DNS is queried without threads, and only names without a DNS entry are looked up in
// a thread, one at a time.
import { lookup, Resolver } from 'node:dns/promises';

/** Resolves to every address of a name. Rejects if there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Queries the given DNS servers, or the servers of the machine. Nothing is cached. */
export async function queryDns(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  if (addresses.length === 0) throw faults.find(isOutage) ?? faults[0];
  return addresses;
}

/** Whether DNS gave no answer, in contrast to the answer that the name does not exist. */
function isOutage(fault: unknown): boolean {
  return !['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes((fault as { code?: string }).code ?? '');
}

/** The default: DNS, and the hosts file for names without a DNS entry. */
export function createSystemResolve(): Resolve {
  let previous: Promise<unknown> = Promise.resolve();
  const lookUpInSystem = (name: string) => {
    const running = previous.then(() => lookup(name, { all: true }));
    previous = running.catch(() => undefined);
    return running;
  };
  return (name) =>
    queryDns(name).catch(async (fault: unknown) => {
      if (isOutage(fault)) throw fault;
      return (await lookUpInSystem(name)).map(({ address }) => address);
    });
}
