// The way to the program's own sign-in page and back to one of our own paths. No other URL is accepted as the return path. Called by
// pages for members.
import type { ServiceInfo } from '../contract/context/context.ts';
import { parseUrl } from '../contract/values/parse-url.ts';

const returnMark = '{return}';

const originOf = (url: string): string | undefined => parseUrl(url)?.origin;

/** The URL of the sign-in page. `way`: the path below the mount to which the visitor returns. */
export function signInAddress(signInUrl: string, way: string, { publicUrl }: Pick<ServiceInfo, 'publicUrl'>): string {
  const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  const isElsewhere = !signInUrl.startsWith('/') && originOf(signInUrl) !== originOf(publicUrl ?? '');
  // A sign-in page of another origin needs the full URL of our path.
  const back = encodeURIComponent(isElsewhere && publicUrl !== undefined ? `${publicUrl}${way}` : `${base}${way}`);
  if (signInUrl.includes(returnMark)) return signInUrl.replaceAll(returnMark, back);
  const [address = '', hash] = signInUrl.split('#', 2);
  return `${address}${address.includes('?') ? '&' : '?'}return_to=${back}${hash === undefined ? '' : `#${hash}`}`;
}
