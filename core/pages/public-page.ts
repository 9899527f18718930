// The frame of pages for visitors from outside: forms, confirmations, preferences. The pages use the colours of a brand,
// light and dark, have no script, and load nothing but the pictures of the brand. Called by the routes of plugins.
import type { HttpResponse } from '../contract/http/http.ts';
import { type BrandPictures, brandMark, iconUrl, markStyle, noPictures, pictureSources } from './brand-mark.ts';
import { contrast, readable, readableOn } from './contrast.ts';
import { fontStack, type PageFont } from './font-stack.ts';
import { escapeHtml } from './html.ts';
import { type LegalUrls, legalAnchors } from './legal-pages.ts';
import { pageFrame } from './page-frame.ts';
import { plainResponse } from './page-responses.ts';
import { directionOf } from './page-texts.ts';

/** The appearance of a page, as a brand defines it. Colours are `#rrggbb`. */
export interface PageAppearance extends LegalUrls, BrandPictures {
  /** The name of the sender, above the heading if there is no logo. */
  readonly name: string;
  readonly primary: string;
  readonly background: string;
  readonly text: string;
  readonly heading: PageFont;
  readonly body: PageFont;
}

const systemFont: PageFont = { family: 'system-ui', fallback: 'sans' };

/** The appearance if no workspace is known, or if the workspace has no brand. */
export const neutralAppearance = (name: string): PageAppearance => ({
  name,
  primary: '#1f3a5f',
  background: '#ffffff',
  text: '#1d2129',
  heading: systemFont,
  body: systemFont,
  imprintUrl: null,
  privacyUrl: null,
  ...noPictures,
});

export interface PublicPage {
  /** (Default: 200) */
  readonly status?: number;
  readonly appearance: PageAppearance;
  /** (Default: en) */
  readonly language?: string;
  /** (Default: the direction of the language) */
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  /** The title of the browser's window, if it differs from the heading. (Default: title) */
  readonly windowTitle?: string;
  /** HTML below the heading. */
  readonly body: string;
  /** (Default: true) Whether search engines are asked to leave the page out. */
  readonly noindex?: boolean;
  /** Other sites to which a form of the page may lead, as sources of a Content-Security-Policy. (Default: none) */
  readonly formTargets?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A paragraph of plain text. */
export const paragraph = (text: string, className?: string): string =>
  `<p${className === undefined ? '' : ` class="${className}"`}>${escapeHtml(text)}</p>`;

const [black, white] = ['#14161a', '#ffffff'];

/** The colour if it has the form `#rrggbb`, else the fallback: no other text may get into the style. */
const colourOf = (colour: string, fallback: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : fallback);

function styleOf(appearance: PageAppearance, language: string): string {
  const backgroundColour = colourOf(appearance.background, white);
  const textColour = readable(colourOf(appearance.text, black), backgroundColour);
  const buttonColour = colourOf(appearance.primary, '#1f3a5f');
  const buttonTextColour = readableOn(buttonColour);
  // A button that disappears in the page gets a border in the colour of the text.
  const borderColour = contrast(buttonColour, backgroundColour) >= 3 ? buttonColour : textColour;
  const darkBorderColour = contrast(buttonColour, '#1e2023') >= 3 ? buttonColour : '#f2f2ef';
  const [error, darkError] = [readable('#b3261e', backgroundColour), '#ffb4ab'];
  return `:root{color-scheme:light dark;--paper:${backgroundColour};--ink:${textColour};--line:color-mix(in srgb,${textColour} 58%,${backgroundColour});--act:${buttonColour};--on-act:${buttonTextColour};--edge:${borderColour};--error:${error}}
@media (prefers-color-scheme:dark){:root{--paper:#1e2023;--ink:#f2f2ef;--line:#8d9098;--edge:${darkBorderColour};--error:${darkError}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-auto-columns:minmax(0,480px);place-content:center;gap:20px;padding:32px 16px;background:var(--paper);color:var(--ink);font:17px/1.55 ${fontStack(appearance.body, language)}}
${markStyle}
.mark{font-family:${fontStack(appearance.heading, language)};font-weight:700;overflow-wrap:anywhere}
main{min-width:0;overflow-wrap:anywhere}
h1,h2{margin:0 0 12px;font-family:${fontStack(appearance.heading, language)};line-height:1.25;hyphens:auto}
h1{font-size:28px}h2{font-size:20px;margin-top:28px}
p{margin:0 0 20px}
p.small{font-size:15px}
main a{color:inherit}
label,legend{font-weight:600}
fieldset{margin:0 0 20px;padding:0;border:0}
legend{padding:0;margin-bottom:8px}
.field{margin-bottom:20px}
.field>label{display:block;margin-bottom:6px}
.choice{display:flex;flex-wrap:wrap;gap:4px 12px;padding:10px 0}
.choice label{flex:1 1 0;min-width:0}
.choice p{flex-basis:100%;margin:0;margin-inline-start:34px;font-size:15px}
input[type=checkbox]{width:22px;height:22px;margin:2px 0 0;accent-color:var(--act)}
input.text,textarea,select{width:100%;min-height:48px;padding:10px 12px;border:1px solid var(--line);border-radius:8px;background:transparent;color:inherit;font:inherit}
select option{background:var(--paper);color:var(--ink)}
main [aria-invalid=true].text,main select[aria-invalid=true]{border:2px solid var(--error)}
.error{margin:6px 0 0;color:var(--error);font-size:15px;font-weight:600}
div.error{margin:0 0 20px;padding:12px 14px;border:2px solid var(--error);border-radius:8px}
div.error a{color:inherit}
button{width:100%;min-height:48px;padding:12px 20px;border:2px solid var(--edge);border-radius:8px;background:var(--act);color:var(--on-act);font:inherit;font-weight:600;cursor:pointer}
button.plain{margin-top:12px;background:transparent;color:var(--ink);border-color:var(--line)}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.trap{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
hr{margin:28px 0;border:0;border-top:1px solid var(--line)}
main>:last-child{margin-bottom:0}
footer{display:flex;flex-wrap:wrap;gap:4px 20px;font-size:15px}
footer a{padding:10px 0;color:inherit}`;
}

/** The page as an answer, with a policy that allows its style, the pictures of its sender and forms that post to its own host. */
export function publicPage(page: PublicPage): HttpResponse {
  const { appearance, title, windowTitle = title, body, status = 200, language = 'en', formTargets } = page;
  const { direction = directionOf(language) } = page;
  const frame = pageFrame(styleOf(appearance, language), {
    'img-src': pictureSources(appearance),
    'form-action': formTargets === undefined ? "'self'" : `'self' ${formTargets}`,
  });
  const legal = legalAnchors(appearance, language);
  const html = frame.write({
    ...{ language, direction, title: windowTitle, icon: iconUrl(appearance) },
    body: `${appearance.name === '' ? '' : `<header class="mark">${brandMark(appearance)}</header>\n`}<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>${legal === '' ? '' : `\n<footer>${legal.trimStart()}</footer>`}`,
  });
  const response = plainResponse('text/html; charset=utf-8', html, {
    'Content-Security-Policy': frame.policy,
    ...page.headers,
  });
  if (page.noindex !== false) return { ...response, status };
  const { 'X-Robots-Tag': _, ...headersForSearch } = response.headers;
  return { ...response, status, headers: headersForSearch };
}

/** Redirects to a page after a form was accepted, so that reloading does not post it again. */
export const seeOther = (location: string): HttpResponse => ({
  ...plainResponse('text/plain; charset=utf-8', '', { Location: location }),
  status: 303,
});
