// The title of a link, for networks that require a page title. Called by the adapters of networks. Pure.

/** The host and the path, without the protocol, `www.`, the query and the fragment. */
export function linkTitle(url: string): string {
  const { hostname, pathname } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  return `${hostname.replace(/^www\./, '')}${path}`.slice(0, 200);
}
