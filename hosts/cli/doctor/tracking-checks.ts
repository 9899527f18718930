// The checks of `doctor` for the hosts to which links in mail point: the name, the certificate, and the service behind it. They
// connect like a recipient's browser, to addresses of the program's own configuration. Called by checks.ts and
// workspace-checks.ts.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { tlsReason } from '../../../core/unstable.ts';
import { bad, type Finding, good, note } from './finding.ts';

/** How a host is checked. */
export interface HostCheck {
  readonly signal: AbortSignal;
  /** In development, it is not a fault if the host does not exist. */
  readonly environment: 'development' | 'production';
  /** Certificate authorities to trust instead of the authorities of Node.js. */
  readonly ca?: string;
  /** Milliseconds since the epoch. (Default: the system's clock) */
  readonly now?: () => number;
}

const day = 86_400_000;
/** A certificate that ends within this many days is a note, because an automatic renewal would have renewed it earlier. */
const soonDays = 14;

/** Opens TLS regardless of the certificate. */
function open(url: URL, { signal, ca }: HostCheck): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    });
    const end = () => socket.destroy(new Error('no answer in time'));
    signal.addEventListener('abort', end, { once: true });
    socket.on('error', reject);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', end);
      resolve(socket);
    });
  });
}

/** The fault of the certificate, or its date of expiry. */
async function checkCertificate(url: URL, check: HostCheck): Promise<Finding> {
  const socket = await open(url, check);
  try {
    const { authorized, authorizationError } = socket;
    if (!authorized) {
      const error: unknown = authorizationError;
      const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : String(error);
      const advice = `Recipients see a warning instead of the page. Get a certificate for ${url.hostname} (Let's Encrypt, or your proxy's own), with its complete chain.`;
      return bad('Tracking', `${url.hostname} ${tlsReason({ code })}. ${advice}`);
    }
    const until = Date.parse(socket.getPeerCertificate().valid_to);
    const daysLeft = Math.floor((until - (check.now ?? Date.now)()) / day);
    const date = new Date(until).toISOString().slice(0, 10);
    return daysLeft > soonDays
      ? good('Tracking', `${url.hostname} has a certificate until ${date}`)
      : bad(
          'Tracking',
          `The certificate of ${url.hostname} ends on ${date}. Renew it, and find out why the automatic renewal failed.`,
        );
  } finally {
    socket.destroy();
  }
}

/** Checks whether the service responds at the URL of the tracking pixel. */
async function checkAnswer(base: string, { signal }: HostCheck): Promise<Finding> {
  const url = `${base.replace(/\/+$/, '')}/t/o/doctor`;
  const response = await fetch(url, { signal, redirect: 'manual' });
  await response.body?.cancel();
  if (response.status === 200 && response.headers.get('content-type') === 'image/gif')
    return good('Tracking', `${base} responds at /t`);
  const advice =
    response.status >= 300 && response.status < 400
      ? `It redirects to ${response.headers.get('location') ?? 'another address'}: set publicUrl to that address, or serve this one.`
      : 'Mount the handler of the service there, or set publicUrl to the address at which it is mounted.';
  return bad('Tracking', `${url} responds with ${response.status}, but not with the tracking picture. ${advice}`);
}

/** Checks a host to which links in mail point. @param base the URL under which the service is reached */
export async function checkTrackingHost(base: string, check: HostCheck): Promise<readonly Finding[]> {
  const url = new URL(base);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isProduction = check.environment === 'production';
  const fault = isProduction ? bad : note;
  const findings: Finding[] = [];
  const isNamed = await lookup(host).then(
    () => true,
    () => false,
  );
  if (!isNamed)
    return [fault('Tracking', `${host} has no address. Publish an A, AAAA or CNAME record that leads to the service.`)];
  try {
    if (url.protocol === 'https:') findings.push(await checkCertificate(url, check));
    else if (isProduction)
      findings.push(bad('Tracking', `${base} is not https. Mail programs warn of such links: serve it with TLS.`));
    if (findings.every(({ state }) => state !== 'bad')) findings.push(await checkAnswer(base, check));
  } catch (cause) {
    const { message, cause: inner } = cause as Error;
    const reason = inner instanceof Error ? inner.message : message;
    const advice = `Links in mail lead there: open its port, and route it to the service.`;
    findings.push(fault('Tracking', `${base} cannot be reached: ${reason}. ${advice}`));
  }
  return findings;
}
