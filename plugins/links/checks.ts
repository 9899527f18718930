// Rules of links beyond the schema. Each throws validation_failed that names the field.
import type { ServiceInfo } from '../../core/index.ts';
import { coreErrors, hostName } from '../../core/index.ts';
import { destinationFault } from './destination.ts';

const refuse = (path: string, message: string): never => {
  throw coreErrors.validation_failed(
    { summary: `${path}: ${message}` },
    { details: [{ path, code: 'custom', message }] },
  );
};

/** The path of links on the service's own host. */
const linkPath = /\/l\/[^/]*\/?$/;

/** A link that led to a link could lead in a circle, and would hide its destination from the checks. */
export function checkDestinations(urls: readonly string[], own: readonly string[], { publicUrl }: ServiceInfo): void {
  const home = publicUrl === undefined ? undefined : hostName(new URL(publicUrl).host);
  for (const [index, url] of urls.entries()) {
    const path = index === 0 ? 'destinationUrl' : `routeRules.${index - 1}.destinationUrl`;
    // Other plugins call with URLs that no schema has seen.
    const fault = destinationFault(url);
    if (fault !== undefined) refuse(path, fault);
    const { host, pathname } = new URL(url);
    const name = hostName(host);
    // On the service's own host, also where links have another, other pages may be destinations.
    const isShort = name !== undefined && (name === home ? linkPath.test(pathname) : own.includes(name));
    if (isShort) refuse(path, 'A short link cannot lead to a short domain.');
  }
}

/** The end comes after the beginning. */
export function checkTimes({
  goLiveAt,
  expiresAt,
}: {
  readonly goLiveAt: number | null;
  readonly expiresAt: number | null;
}) {
  if (goLiveAt !== null && expiresAt !== null && expiresAt <= goLiveAt)
    refuse('expiresAt', 'It must be after scheduledGoLiveAt.');
}
