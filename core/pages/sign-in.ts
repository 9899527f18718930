// Creates the URL of the program's own sign-in page, with the path to which the visitor returns. A return path is always
// a path of this service. Called by pages for members.
import type { ServiceInfo } from '../contract/context/context.ts';
import { parseUrl } from '../contract/values/parse-url.ts';

const returnPlaceholder = '{return}';

const originOf = (url: string): string | undefined => parseUrl(url)?.origin;

/** The URL of the sign-in page. `returnPath`: the path below the mount to which the visitor returns. */
export function signInAddress(
  signInUrl: string,
  returnPath: string,
  { publicUrl }: Pick<ServiceInfo, 'publicUrl'>,
): string {
  const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  const isOtherOrigin = !signInUrl.startsWith('/') && originOf(signInUrl) !== originOf(publicUrl ?? '');
  // A sign-in page of another origin needs the full URL of the path.
  const returnAddress = encodeURIComponent(
    isOtherOrigin && publicUrl !== undefined ? `${publicUrl}${returnPath}` : `${base}${returnPath}`,
  );
  if (signInUrl.includes(returnPlaceholder)) return signInUrl.replaceAll(returnPlaceholder, returnAddress);
  const [address = '', hash] = signInUrl.split('#', 2);
  return `${address}${address.includes('?') ? '&' : '?'}return_to=${returnAddress}${hash === undefined ? '' : `#${hash}`}`;
}
