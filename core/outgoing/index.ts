// Requests to URLs that users supplied, sent to checked addresses only. The container creates one instance for each
// service. Construction has no effect; undici is loaded by the first request.
import type { SecureContext } from 'node:tls';
import type { Outgoing } from '../contract/ports/outgoing.ts';
import { memoised } from '../contract/values/memo.ts';
import { readAllowList } from './allow-list.ts';
import { openConnection, openPlainConnection, resolveInTime } from './connect.ts';
import { type Connections, createConnections } from './connections.ts';
import { exchange } from './exchange.ts';
import { createGuard, type Guard } from './guard.ts';
import { createSystemResolve, type Resolve } from './resolve.ts';
import { createStubbedOutgoing, type OutgoingResponder } from './stubbed-outgoing.ts';
import { readTarget, tcpTarget } from './target.ts';

export interface OutgoingOptions {
  /** In development, `localhost` and loopback addresses may be called, over http too. */
  readonly environment: 'development' | 'production';
  /**
   * Exceptions for development and intranets, which need not be public or use https: a host (`hooks.internal`), an
   * address (`10.1.2.3`, `[fd00::1]`), either with a port (`127.0.0.1:4000`), or a block of addresses (`10.0.0.0/8`).
   * Every user who may save a URL can then reach them. (Default: none)
   */
  readonly allow?: readonly string[];
  /** Certificate authorities (PEM) to trust in addition to the usual ones. (Default: none) */
  readonly ca?: string | readonly string[];
  /** Resolves a name to all of its addresses; each of them is checked. (Default: DNS, then the machine's hosts file) */
  readonly resolve?: Resolve;
  /** For tests: answers every request in this process, without opening a connection. (Default: the network) */
  readonly answer?: OutgoingResponder;
}

const checkTimeoutMs = 5_000;
/** The number of parsed URLs in the cache. The URL of a webhook, for example, is used again for each event. */
const maxTargets = 1_000;

/** Makes the outgoing requests of a service. Construction has no effect. @throws RangeError on an invalid entry of `allow` */
export function createOutgoing({ environment, allow = [], ca, resolve, answer }: OutgoingOptions): Outgoing {
  const resolveName = resolve ?? createSystemResolve();
  const guardWith = (additional: readonly string[], rules = environment): Guard =>
    createGuard({ environment: rules, allowList: readAllowList([...allow, ...additional]), resolve: resolveName });
  const guard = guardWith([]);
  const guardOf = (rules = environment): Guard => (rules === environment ? guard : guardWith([], rules));
  if (answer !== undefined) return createStubbedOutgoing(guardOf, answer);
  const targetOf = memoised(maxTargets, readTarget);
  let context: SecureContext | undefined;
  let connections: Promise<Connections> | undefined;

  const secureContext = async () => {
    if (ca === undefined) return undefined;
    const { createSecureContext, rootCertificates } = await import('node:tls');
    context ??= createSecureContext({ ca: [...rootCertificates, ca].flat() });
    return context;
  };

  async function openConnections(): Promise<Connections> {
    const { Client } = await import('undici/index.js');
    return createConnections(
      (origin, connectTimeoutMs, connected) =>
        new Client(origin, {
          pipelining: 1,
          allowH2: false,
          // exchange.ts has one limit for the whole request; undici's would restart with each byte.
          headersTimeout: 0,
          bodyTimeout: 0,
          connect(_options, done) {
            const timeoutMs = connectTimeoutMs();
            openConnection(readTarget(origin), { guard, timeoutMs, secureContext }).then(
              (socket) => {
                connected(socket);
                done(null, socket);
              },
              (fault: Error) => done(fault, null),
            );
          },
        }),
    );
  }

  return {
    async check(url, rules) {
      await resolveInTime(readTarget(url), guardOf(rules), checkTimeoutMs);
    },
    async request(request) {
      const target = targetOf(request.url);
      // Checked here, because an address needs no look-up, and a reused connection does none.
      guard.checkLiteral(target);
      connections ??= openConnections();
      return exchange(await connections, target, request);
    },
    async connect({ host, port, timeoutMs = 5_000, allow: additional = [] }) {
      return openPlainConnection(
        tcpTarget(host, port),
        additional.length === 0 ? guard : guardWith(additional),
        timeoutMs,
      );
    },
    async close() {
      await (await connections)?.close();
    },
  };
}
