// Opens one connection for outgoing requests: resolves the name, checks every address, and gives the socket only those
// addresses. Called by undici for each new connection; one time limit covers everything.
import type { LookupAddress } from 'node:dns';
import { isIP, isIPv6, connect as openTcp, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { OutgoingError } from '../contract/ports/outgoing.ts';
import type { Guard } from './guard.ts';
import type { OutgoingTarget } from './target.ts';
import { tlsReason } from './tls-reason.ts';

/** The delay before the next address of a name is tried in parallel (happy eyeballs). */
const nextAddressMs = 1_000;

/** The options of every connection. */
export interface ConnectOptions {
  readonly guard: Guard;
  readonly timeoutMs: number;
  /** The trusted authorities, if they differ from the usual ones. */
  readonly secureContext: () => Promise<SecureContext | undefined>;
}

/** Connects, with TLS for https. @throws OutgoingError */
export async function openConnection(target: OutgoingTarget, options: ConnectOptions): Promise<Socket> {
  const end = performance.now() + options.timeoutMs;
  const remainingMs = () => Math.max(1, end - performance.now());
  const addresses = await resolveInTime(target, options.guard, remainingMs());
  const socket = await connectSocket(target, addresses, remainingMs());
  return target.secure ? await startTls(target, socket, await options.secureContext(), remainingMs()) : socket;
}

/** Connects without TLS. @throws OutgoingError */
export async function openPlainConnection(target: OutgoingTarget, guard: Guard, timeoutMs: number): Promise<Socket> {
  const end = performance.now() + timeoutMs;
  const addresses = await resolveInTime(target, guard, timeoutMs);
  return connectSocket(target, addresses, Math.max(1, end - performance.now()));
}

/** The guard's addresses, or a refusal after the time limit: a DNS look-up cannot be canceled. */
export async function resolveInTime(
  target: OutgoingTarget,
  guard: Guard,
  timeoutMs: number,
): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new OutgoingError('dns_failed', `The address of ${target.host} could not be looked up in time.`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([guard.addressesOf(target), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function connectSocket(target: OutgoingTarget, addresses: readonly string[], timeoutMs: number): Promise<Socket> {
  const checked: LookupAddress[] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const socket = openTcp({
    host: target.host,
    port: target.port,
    lookup: (_name, _options, done) => done(null, checked),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  const fault = (cause?: unknown) =>
    new OutgoingError('connection_failed', `${target.host} ${unreachable(cause)} at port ${target.port}.`, { cause });
  return whenOpen(socket, 'connect', timeoutMs, fault);
}

function unreachable(cause: unknown): string {
  if (cause === undefined) return 'did not accept the connection in time';
  const { code } = cause as { code?: string };
  return code === 'ECONNREFUSED' ? 'refused the connection' : 'cannot be reached';
}

async function startTls(
  { host }: OutgoingTarget,
  plain: Socket,
  secureContext: SecureContext | undefined,
  timeoutMs: number,
): Promise<Socket> {
  const { connect: openTls } = await import('node:tls');
  const socket = openTls({
    socket: plain,
    host,
    // Server Name Indication is for names only (RFC 6066, section 3); the certificate of an address is checked against
    // `host`.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(secureContext === undefined ? {} : { secureContext }),
  });
  const fault = (cause?: unknown) => new OutgoingError('tls_failed', `${host} ${tlsReason(cause)}.`, { cause });
  return whenOpen(socket, 'secureConnect', timeoutMs, fault);
}

/** The connected socket; destroyed when it fails or takes too long. */
function whenOpen<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  fault: (cause?: unknown) => OutgoingError,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(fault(cause));
    };
    const timer = setTimeout(fail, timeoutMs);
    // Never removed: an error before undici adds its own listener must not end the process.
    socket.on('error', fail);
    socket.once(event, () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
