// The HTML of a text as it is stored: strings, and between them what is known when it is shown, the addresses of pictures and of the
// site. No HTML is searched or changed: it is only joined. Pure.
import { escapeHtml } from '../html.ts';

/** A picture of the workspace. */
interface PicturePart {
  readonly asset: string;
  readonly alt: string;
  readonly title?: string;
}

/** A path of the site (`/p/course`) or of the text (`#part`), as the value of a link. */
interface PathPart {
  readonly path: string;
}

export type TextPart = string | PicturePart | PathPart;
export type TextParts = readonly TextPart[];

/** Where a text is shown. */
export interface TextPlace {
  /** The address of a picture. Of one without an address, its words are left. */
  pictureUrl(assetId: string): string | undefined;
  /** The address of the text, where its paths are to be whole addresses. (Default: paths stay as they are) */
  readonly base?: string;
}

function written(part: TextPart, { pictureUrl, base }: TextPlace): string {
  if (typeof part === 'string') return part;
  if ('path' in part) return escapeHtml(base === undefined ? part.path : new URL(part.path, base).href);
  const { asset, alt, title } = part;
  const url = pictureUrl(asset);
  if (url === undefined) return escapeHtml(alt);
  const named = title === undefined ? '' : ` title="${escapeHtml(title)}"`;
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"${named} loading="lazy" decoding="async">`;
}

/** The HTML. */
export const joinParts = (parts: TextParts, place: TextPlace): string =>
  parts.map((part) => written(part, place)).join('');

/** The pictures, each once. */
export const picturesIn = (parts: TextParts): string[] => [
  ...new Set(parts.flatMap((part) => (typeof part === 'object' && 'asset' in part ? [part.asset] : []))),
];

/** How many characters of HTML they are, but for what is filled in. */
export const lengthOf = (parts: TextParts): number =>
  parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : JSON.stringify(part).length), 0);
