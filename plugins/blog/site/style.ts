// The style of the blog in the brand's colours and fonts, light and dark, with readable text on each background. Pure.
import { contrast, fontStack, markStyle, minContrast, type PageAppearance } from '../../../core/unstable.ts';

const [black, white, night] = ['#14161a', '#ffffff', '#16181c'];
/**
 * Returns a colour of six hexadecimal digits. Any other text is replaced by the fallback, so that it cannot enter the
 * style.
 */
const colourOf = (colour: string, fallback: string): string => (/^#[0-9a-f]{6}$/i.test(colour) ? colour : fallback);

const partsOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
/** Mixes two colours. `share` is the share of `one`, 0 to 1. */
const mixColours = (one: string, other: string, share: number): string => {
  const others = partsOf(other);
  const parts = partsOf(one).map((part, index) => Math.round(part * share + (others[index] ?? 0) * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
};

/** Black or white, whichever is more readable on the background. */
const textColourOn = (backgroundColour: string): string =>
  contrast(black, backgroundColour) >= contrast(white, backgroundColour) ? black : white;

/** Moves the colour towards black or white until it is readable on all of these backgrounds. */
function readableColour(colour: string, papers: readonly string[]): string {
  const target = textColourOn(papers[0] ?? white);
  for (let share = 1; share > 0; share -= 0.1) {
    const moved = mixColours(colour, target, share);
    if (papers.every((paper) => contrast(moved, paper) >= minContrast)) return moved;
  }
  return target;
}

/** The colours on one background. */
function colours(paper: string, text: string, primary: string): string {
  const ink = readableColour(text, [paper]);
  const shade = mixColours(ink, paper, 0.06);
  const soft = readableColour(mixColours(ink, paper, 0.72), [paper, shade]);
  const link = readableColour(primary, [paper, shade]);
  const body = readableColour(text, [paper, shade]);
  return `--paper:${paper};--ink:${body};--soft:${soft};--link:${link};--shade:${shade};--line:${mixColours(ink, paper, 0.18)}`;
}

/** The style of every page of the blog. @param language the BCP 47 tag of the page */
export function styleOf(appearance: PageAppearance, language: string): string {
  const [heading, body] = [fontStack(appearance.heading, language), fontStack(appearance.body, language)];
  const mono = fontStack({ family: '', fallback: 'mono' }, language);
  const paper = colourOf(appearance.background, white);
  const primary = colourOf(appearance.primary, '#1f3a5f');
  return `:root{color-scheme:light dark;${colours(paper, colourOf(appearance.text, black), primary)}}
@media (prefers-color-scheme:dark){:root{${colours(night, '#e8e8e4', primary)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:18px/1.65 ${body};overflow-wrap:break-word}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:3px}
.skip{position:absolute;inset-inline-start:16px;top:12px;padding:8px 14px;background:var(--paper);z-index:1}
.skip:not(:focus),.unseen{padding:0;position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.wrap{max-width:46rem;margin:0 auto;padding:0 20px}
h1,h2,h3,h4,h5,h6{font-family:${heading};line-height:1.2;text-wrap:balance;hyphens:auto;letter-spacing:-.012em}
:lang(ar) :is(h1,h2,h3,h4){letter-spacing:0;line-height:1.4}
pre,code{direction:ltr;unicode-bidi:isolate}
body>header{border-bottom:1px solid var(--line)}
body>header .wrap{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:4px 20px;padding-top:20px;padding-bottom:18px}
body>header a{color:inherit;text-decoration:none}
body>header a:hover{text-decoration:underline}
${markStyle}
.name{font:700 20px/1.3 ${heading}}
.aside{font-size:16px;color:var(--soft)}
main.wrap{padding-top:56px;padding-bottom:72px}
.meta{margin:0;color:var(--soft);font-size:16px;line-height:1.5}
.index h1{margin:0 0 44px;font-size:clamp(34px,6vw,46px)}
.index article{padding:0 0 36px;margin:0 0 36px;border-bottom:1px solid var(--line)}
.index article:last-of-type{border:0;margin-bottom:0}
.index h2{margin:6px 0 10px;font-size:27px}
.index h2 a{color:var(--ink);text-decoration:none}
.index h2 a:hover{color:var(--link);text-decoration:underline}
.index article p.excerpt{margin:0}
.index .thumb{display:block;margin:0 0 20px}
.thumb img,.cover img{display:block;width:100%;height:auto;border-radius:10px;background:var(--shade)}
.thumb img{aspect-ratio:16/9;object-fit:cover}
.pages{display:grid;grid-template-columns:1fr auto 1fr;gap:12px;align-items:baseline;margin-top:48px;padding-top:24px;border-top:1px solid var(--line);font-size:16px}
.pages span{color:var(--soft)}
.pages :last-child{text-align:end}
.post>header{margin-bottom:40px}
.post h1{margin:0 0 18px;font-size:clamp(34px,6.4vw,50px);line-height:1.12}
.post .lead{margin:0 0 20px;font-size:21px;line-height:1.5;color:var(--soft)}
.cover{margin:0 0 44px}
.text>:first-child{margin-top:0}
.text p,.text ul,.text ol,.text pre,.text blockquote,.text .table,.text figure{margin:0 0 1.35em}
.text h2{margin:2.1em 0 .6em;font-size:29px}
.text h3{margin:1.9em 0 .5em;font-size:23px}
.text h4,.text h5,.text h6{margin:1.7em 0 .4em;font-size:19px}
.text li{margin:.35em 0}
.text li ul,.text li ol{margin-bottom:0}
.text ul,.text ol{padding-inline-start:1.4em}
.text li::marker{color:var(--soft)}
.text li.task{list-style:none}
.text blockquote{padding-block:2px;padding-inline-start:24px;border-inline-start:4px solid var(--link);color:var(--ink);font-size:20px;font-style:italic}
.text blockquote>:last-child{margin-bottom:0}
:is(:lang(ar),:lang(he),:lang(ja),:lang(ko),:lang(th),:lang(zh)) .text blockquote{font-style:normal}
.text code{padding:.12em .36em;border-radius:5px;background:var(--shade);font:.86em/1.5 ${mono}}
.text pre{padding:18px 20px;border-radius:10px;background:var(--shade);overflow-x:auto;line-height:1.55;font-size:18px}
.text pre code{padding:0;background:none;overflow-wrap:normal}
.text .table{overflow-x:auto}
.text table{border-collapse:collapse;width:100%;font-size:16px;line-height:1.5;font-variant-numeric:tabular-nums}
.text th,.text td{padding:10px 14px;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
.text [align=right]{text-align:end}.text [align=center]{text-align:center}
.text thead th{border-bottom:2px solid var(--soft)}
.text img{max-width:100%;height:auto;border-radius:8px}
.text figure img{display:block;margin:0 auto}
.text figcaption{margin-top:10px;color:var(--soft);font-size:15px;text-align:center}
.text hr{margin:3em auto;width:35%;border:0;border-top:2px solid var(--line)}
.text .footnotes{margin-top:3em;padding-top:1.2em;border-top:1px solid var(--line);font-size:16px}
.text sup{line-height:0}
.post>footer{margin-top:56px;padding-top:24px;border-top:1px solid var(--line)}
.tags{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 24px;padding:0;list-style:none;font-size:15px}
.tags a{display:block;padding:3px 12px;border-radius:99px;background:var(--shade);color:var(--link);text-decoration:none;overflow-wrap:anywhere}
.tags a:hover{text-decoration:underline}
.around{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:24px;margin-top:48px;padding-top:24px;border-top:1px solid var(--line)}
.around span{display:block;font-size:15px;color:var(--soft)}
.around .next{text-align:end}
.related,.subscribe{margin-top:48px;padding-top:24px;border-top:1px solid var(--line)}
.related h2,.subscribe h2{margin:0 0 12px;font-size:22px}
.related ul{margin:0;padding-inline-start:1.2em}
.related li{margin:.35em 0}
.subscribe label{display:block;margin-bottom:6px;font-weight:600}
.subscribe .field{margin:0 0 12px}
.subscribe input.text{width:100%;max-width:26rem;min-height:44px;padding:8px 12px;border:1px solid var(--soft);border-radius:8px;background:transparent;color:inherit;font:inherit}
.subscribe .small{margin:0 0 12px;font-size:15px;color:var(--soft)}
.subscribe button{min-height:44px;padding:8px 20px;border:2px solid var(--link);border-radius:8px;background:var(--link);color:var(--paper);font:inherit;font-weight:600;cursor:pointer}
.trap{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.notice{margin:0;padding:10px 20px;background:var(--shade);text-align:center;font-size:15px}
body>footer{border-top:1px solid var(--line);font-size:16px;color:var(--soft)}
body>footer .wrap{display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:space-between;padding-top:22px;padding-bottom:32px}
@media (max-width:600px){body{font-size:17px}main.wrap{padding-top:36px}.text th,.text td{min-width:6.5rem}.text pre{margin-inline:-20px;border-radius:0;font-size:16px}}
@media print{body>header .aside,body>footer,.skip{display:none}}`;
}
