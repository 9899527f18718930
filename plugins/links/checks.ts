// Rules of links beyond the schema. Rules about a field throw validation_failed with the name of the field.
import { coreErrors, hostName, type ServiceInfo } from '../../core/index.ts';
import { destinationFault } from './destination.ts';
import type { LinksOptions } from './options.ts';

const refuse = (path: string, message: string): never => {
  throw coreErrors.validation_failed(
    { summary: `${path}: ${message}` },
    { details: [{ path, code: 'custom', message }] },
  );
};

/** The path of links on the service's own host. */
const linkPath = /\/l\/[^/]*\/?$/;

/** Requires a host in production. Without a host, links would be printed and sent with localhost. @throws state_conflict */
export function checkShortHost({ shortUrl }: LinksOptions, { publicUrl, environment }: ServiceInfo): void {
  if (shortUrl !== undefined || publicUrl !== undefined || environment === 'development') return;
  throw coreErrors.state_conflict({
    reason:
      'A short link on the default domain would begin with http://localhost, because createService has no publicUrl. Set it, give linksPlugin a shortUrl, or give the link a domain of the workspace.',
  });
}

/** Rejects destinations that are short links: they could form a loop, and would hide their destination from the checks. */
export function checkDestinations(urls: readonly string[], own: readonly string[], { publicUrl }: ServiceInfo): void {
  const serviceHost = publicUrl === undefined ? undefined : hostName(new URL(publicUrl).host);
  for (const [index, url] of urls.entries()) {
    const path = index === 0 ? 'destinationUrl' : `routeRules.${index - 1}.destinationUrl`;
    // Other plugins pass URLs that no schema has checked.
    const fault = destinationFault(url);
    if (fault !== undefined) refuse(path, fault);
    const { host, pathname } = new URL(url);
    const name = hostName(host);
    // On the service's own host, only `/l/…` leads to links. Its other pages may be destinations, even if links have a
    // host of their own.
    const isShort = name !== undefined && (name === serviceHost ? linkPath.test(pathname) : own.includes(name));
    if (isShort) refuse(path, 'A short link cannot lead to a short domain.');
  }
}

/** The end must be after the beginning. */
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
