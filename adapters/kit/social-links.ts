// What is shown of a link where the network wants a title of the page. Called by the adapters of networks. Pure.

/** The host and the path, without what only machines read. */
export function linkTitle(url: string): string {
  const { hostname, pathname } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  return `${hostname.replace(/^www\./, '')}${path}`.slice(0, 200);
}
