// The frame of pages for outside visitors: forms, confirmations, preferences. The pages use the colours of a brand,
// light and dark, have no script, and load nothing. Called by the routes of plugins, on content hosts and elsewhere.
import type { HttpResponse } from '../contract/http/http.ts';
import { contrast, minContrast } from './contrast.ts';
import { escapeHtml } from './html.ts';
import { type LegalUrls, legalAnchors } from './legal-pages.ts';
import { pageFrame } from './page-frame.ts';
import { plainResponse } from './page-responses.ts';

/** The appearance of a page, as a brand defines it. Colours are `#rrggbb`. */
export interface PageAppearance extends LegalUrls {
  /** The name of the sender, above the heading. */
  readonly name: string;
  readonly primary: string;
  readonly background: string;
  readonly text: string;
  readonly heading: PageFont;
  readonly body: PageFont;
}

/** A font that visitors may have; pages do not load fonts. */
interface PageFont {
  /** Letters, digits, spaces and hyphens. */
  readonly family: string;
  readonly fallback: 'sans' | 'serif' | 'mono';
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
});

export interface PublicPage {
  /** (Default: 200) */
  readonly status?: number;
  readonly appearance: PageAppearance;
  /** (Default: en) */
  readonly language?: string;
  /** (Default: ltr) */
  readonly direction?: 'ltr' | 'rtl';
  readonly title: string;
  /** The title of the browser's window, if it differs from the heading. (Default: title) */
  readonly windowTitle?: string;
  /** HTML below the heading. */
  readonly body: string;
  /** (Default: true) Whether search engines are asked to leave the page out. */
  readonly noindex?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A paragraph of plain text. */
export const paragraph = (text: string, className?: string): string =>
  `<p${className === undefined ? '' : ` class="${className}"`}>${escapeHtml(text)}</p>`;

const [black, white] = ['#14161a', '#ffffff'];

/** The colour if it can be read on this background, else black or white. */
const readable = (colour: string, background: string): string => {
  if (contrast(colour, background) >= minContrast) return colour;
  return contrast(black, background) >= contrast(white, background) ? black : white;
};

/** Black or white, whichever is easier to read on this colour. */
export const readableOn = (background: string): string => readable(white, background);

const stacks = { sans: 'system-ui,sans-serif', serif: 'Georgia,serif', mono: 'ui-monospace,monospace' } as const;
const fontOf = ({ family, fallback }: PageFont): string =>
  /^[A-Za-z0-9 -]{1,60}$/.test(family) ? `"${family}",${stacks[fallback]}` : stacks[fallback];

/** A colour of six hexadecimal digits, else the fallback: no other text may get into the style. */
const colourOf = (colour: string, fallback: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : fallback);

function styleOf(look: PageAppearance): string {
  const paper = colourOf(look.background, white);
  const ink = readable(colourOf(look.text, black), paper);
  const act = colourOf(look.primary, '#1f3a5f');
  const onAct = readableOn(act);
  // A button that disappears in the page gets a border in the colour of the text.
  const edge = contrast(act, paper) >= 3 ? act : ink;
  const darkEdge = contrast(act, '#1e2023') >= 3 ? act : '#f2f2ef';
  const [error, darkError] = [readable('#b3261e', paper), '#ffb4ab'];
  return `:root{color-scheme:light dark;--paper:${paper};--ink:${ink};--line:color-mix(in srgb,${ink} 58%,${paper});--act:${act};--on-act:${onAct};--edge:${edge};--error:${error}}
@media (prefers-color-scheme:dark){:root{--paper:#1e2023;--ink:#f2f2ef;--line:#8d9098;--edge:${darkEdge};--error:${darkError}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:32px 16px;background:var(--paper);color:var(--ink);font:17px/1.55 ${fontOf(look.body)}}
main{width:100%;max-width:480px;overflow-wrap:anywhere}
h1,h2{margin:0 0 12px;font-family:${fontOf(look.heading)};line-height:1.25}
h1{font-size:28px}h2{font-size:20px;margin-top:28px}
p{margin:0 0 20px}
p.from{margin:0 0 8px;font-size:15px}
p.small{font-size:15px}
label,legend{font-weight:600}
fieldset{margin:0 0 20px;padding:0;border:0}
legend{padding:0;margin-bottom:8px}
.field{margin-bottom:20px}
.field>label{display:block;margin-bottom:6px}
.choice{display:flex;flex-wrap:wrap;gap:4px 12px;padding:10px 0}
.choice label{flex:1 1 0;min-width:0}
.choice p{flex-basis:100%;margin:0 0 0 34px;font-size:15px}
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

/** The page as an answer, with a policy that allows its style and forms that post to its own host. */
export function publicPage(page: PublicPage): HttpResponse {
  const { appearance, title, windowTitle = title, body, status = 200, language, direction } = page;
  const frame = pageFrame(styleOf(appearance), { 'form-action': "'self'" });
  const legal = legalAnchors(appearance, language ?? 'en');
  const html = frame.write({
    ...(language === undefined ? {} : { language }),
    ...(direction === undefined ? {} : { direction }),
    title: windowTitle,
    body: `<main>
<p class="from"><bdi>${escapeHtml(appearance.name)}</bdi></p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>${legal === '' ? '' : `\n<footer>${legal.trimStart()}</footer>`}`,
  });
  const response = plainResponse('text/html; charset=utf-8', html, {
    'Content-Security-Policy': frame.policy,
    ...page.headers,
  });
  if (page.noindex !== false) return { ...response, status };
  const { 'X-Robots-Tag': _, ...indexed } = response.headers;
  return { ...response, status, headers: indexed };
}

/** Redirects to a page after a form was accepted, so that reloading does not post it again. */
export const seeOther = (location: string): HttpResponse => ({
  ...plainResponse('text/plain; charset=utf-8', '', { Location: location }),
  status: 303,
});
