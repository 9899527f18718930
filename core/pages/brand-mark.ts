// The logo and the icon of a sender on public pages. Called by the frame of public pages and by plugins that write whole
// documents. Pure.
import { parseUrl } from '../contract/values/parse-url.ts';
import { readableOn } from './contrast.ts';
import { escapeHtml } from './html.ts';

/** The pictures of a sender: addresses, or null. */
export interface BrandPictures {
  readonly logos: { readonly light: string | null; readonly dark: string | null };
  /** A small square picture, for the tab of the browser. */
  readonly icon: string | null;
}

interface Sender extends BrandPictures {
  readonly name: string;
  /** `#rrggbb` */
  readonly primary: string;
}

export const noPictures: BrandPictures = { logos: { light: null, dark: null }, icon: null };

/** The logo for the reader's colour scheme; without a logo the name. Put it into an element of the class `mark`. */
export function brandMark({ name, logos: { light, dark } }: Pick<Sender, 'name' | 'logos'>): string {
  const url = light ?? dark;
  if (url === null) return `<bdi>${escapeHtml(name)}</bdi>`;
  const hasBoth = light !== null && dark !== null;
  // A comma would end the address in a `srcset`.
  const source = hasBoth
    ? `<source media="(prefers-color-scheme:dark)" srcset="${escapeHtml(dark.replaceAll(',', '%2C'))}">`
    : '';
  const classAttribute = hasBoth ? '' : ` class="for-${light === null ? 'dark' : 'light'}"`;
  return `<picture>${source}<img${classAttribute} src="${escapeHtml(url)}" alt="${escapeHtml(name)}"></picture>`;
}

const plate = 'padding:6px 10px;border-radius:8px';

/** The rules for `brandMark`. A logo for one colour scheme gets a background of that scheme in the other one. */
export const markStyle = `.mark img{display:block;width:auto;height:auto;max-width:min(220px,100%);max-height:44px}
@media (prefers-color-scheme:dark){.mark .for-light{${plate};background:#fff}}
@media (prefers-color-scheme:light){.mark .for-dark{${plate};background:#16181c}}`;

/** The address of the icon: the sender's own, else the first letter of the name on the sender's colour. */
export function iconUrl({ name, primary, icon }: Pick<Sender, 'name' | 'primary' | 'icon'>): string {
  if (icon !== null) return icon;
  const [first] = new Intl.Segmenter().segment(name.trim());
  const letter = escapeHtml((first?.segment ?? '').toUpperCase());
  const colour = /^#[0-9a-f]{6}$/i.test(primary) ? primary : '#1f3a5f';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colour}"/><text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${readableOn(colour)}">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The element of the head that names the icon. */
export const iconLink = (sender: Pick<Sender, 'name' | 'primary' | 'icon'>): string =>
  `<link rel="icon" href="${escapeHtml(iconUrl(sender))}">`;

/** The sources of pictures for a Content-Security-Policy: those of the sender, and of further addresses. */
export function pictureSources({ logos, icon }: BrandPictures, further: readonly string[] = []): string {
  const urls = [logos.light, logos.dark, icon, ...further];
  const origins = urls.flatMap((url) => (url === null ? [] : (parseUrl(url)?.origin ?? [])));
  return ['data:', ...new Set(origins)].join(' ');
}
