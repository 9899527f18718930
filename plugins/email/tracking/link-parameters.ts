// Parameters that the links of a mail get, so that the statistics of a website show where its visitors came from. Pure.
import { parseUrl } from '../../../core/unstable.ts';

/** Parameters by their names, such as `utm_medium`. */
export type LinkParameters = Readonly<Record<string, string>>;

/** The URL with the parameters. A parameter that the URL already has keeps its value. */
export function withParameters(url: string, parameters: LinkParameters): string {
  const parsed = parseUrl(url);
  if (parsed === undefined) return url;
  const missing = Object.entries(parameters).filter(([name]) => !parsed.searchParams.has(name));
  if (missing.length === 0) return url;
  // Added to the text, because setting a parameter of the parsed URL would change the encoding of the other parameters.
  const added = new URLSearchParams(missing).toString();
  const [before = '', ...fragmentParts] = url.split('#');
  const fragment = fragmentParts.length === 0 ? '' : `#${fragmentParts.join('#')}`;
  return `${before}${before.includes('?') ? '&' : '?'}${added}${fragment}`;
}
