// The HTML of a text as it is stored: strings, and between them the parts that are known only when the text is shown:
// pictures, and addresses of the site. The parts are joined; no HTML is searched or changed. Pure.
import { escapeHtml } from '../html.ts';
import { labelIn, type TextLabel } from './label-texts.ts';

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

/** A label in the language of the page. */
interface LabelPart {
  readonly label: TextLabel;
  /** The reference to which a link of a footnote leads: `2`, or `2-3` for the third reference to the same footnote. */
  readonly number?: string;
}

export type TextPart = string | PicturePart | PathPart | LabelPart;
export type TextParts = readonly TextPart[];

/** The place where a text is shown. */
export interface TextLocation {
  /** The address of a picture. If it is undefined, the alternative text is shown instead. */
  pictureUrl(assetId: string): string | undefined;
  /** The address of the text, if its paths must become complete addresses. (Default: paths stay as they are) */
  readonly base?: string;
  /** The BCP 47 tag of the page. */
  readonly language: string;
}

function writePart(part: TextPart, { pictureUrl, base, language }: TextLocation): string {
  if (typeof part === 'string') return part;
  if ('path' in part) return escapeHtml(base === undefined ? part.path : new URL(part.path, base).href);
  if ('label' in part) return escapeHtml(labelIn(language, part.label, part.number));
  const { asset, alt, title } = part;
  const url = pictureUrl(asset);
  if (url === undefined) return escapeHtml(alt);
  const titleAttribute = title === undefined ? '' : ` title="${escapeHtml(title)}"`;
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"${titleAttribute} loading="lazy" decoding="async">`;
}

/** The HTML with all parts filled in. */
export const joinParts = (parts: TextParts, location: TextLocation): string =>
  parts.map((part) => writePart(part, location)).join('');

/** The ids of the pictures, each once. */
export const picturesIn = (parts: TextParts): string[] => [
  ...new Set(parts.flatMap((part) => (typeof part === 'object' && 'asset' in part ? [part.asset] : []))),
];

/** The number of characters of the HTML. A part that is filled in later counts with the length of its JSON. */
export const lengthOf = (parts: TextParts): number =>
  parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : JSON.stringify(part).length), 0);
