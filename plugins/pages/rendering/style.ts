// The one style of a page, in the look of its brand: responsive from 320 px, light and dark, nothing loaded. Pure.
import { fontStack, markStyle } from '../../../core/unstable.ts';
import type { PageBrand } from './brand.ts';
import { type Scheme, schemesOf } from './colours.ts';

const variables = (scheme: Scheme): string =>
  Object.entries(scheme)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/** The CSS of a page in the look of its brand. @param language the BCP 47 tag of the page */
export function styleOf(brand: PageBrand, language: string): string {
  const [title, body] = [fontStack(brand.title, language), fontStack(brand.body, language)];
  const { light, dark } = schemesOf(brand.colours);
  const radius = Math.max(0, Math.min(40, Math.round(brand.radius)));
  return `:root{color-scheme:light dark;${variables(light)};--radius:${radius}px}
@media (prefers-color-scheme:dark){:root{${variables(dark)}}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:18px/1.6 ${body};overflow-wrap:anywhere}
.wrap{width:100%;max-width:1120px;margin:0 auto;padding:0 24px}
@media (max-width:480px){.wrap{padding:0 18px}body{font-size:17px}}
h1,h2,h3{margin:0 0 16px;font-family:${title};line-height:1.15;text-wrap:balance;hyphens:auto;letter-spacing:-.01em}
:lang(ar) :is(h1,h2,h3){letter-spacing:0;line-height:1.4}
pre,code{direction:ltr;unicode-bidi:isolate}
h1{font-size:clamp(34px,6vw,60px)}h2{font-size:clamp(26px,3.8vw,40px)}h3,li>h2{font-size:20px;line-height:1.3;margin-bottom:8px}
p{margin:0 0 16px}p:last-child{margin-bottom:0}
a{color:var(--accent)}
img,svg{max-width:100%;height:auto}
ul,ol,dl,figure,blockquote{margin:0;padding:0}
ul.cards,ol.steps,ul.people,ul.plans,ul.logos,ul.gallery{list-style:none}
.skip:not(:focus),.trap{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.skip{position:absolute;inset-inline-start:16px;top:16px;z-index:2;padding:10px 16px;background:var(--paper)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
body>header{padding:20px 0}
body>header .wrap{display:flex;align-items:center;gap:12px;font-weight:700;font-family:${title}}
${markStyle}
section{padding:clamp(44px,7vw,88px) 0}
section.soft{background:var(--soft)}
.lead{font-size:clamp(18px,2vw,22px);color:var(--muted);max-width:40em}
.intro{max-width:44em;margin-bottom:36px}
.hero{padding-top:clamp(28px,5vw,64px)}
.hero .two{display:grid;gap:40px;align-items:center}
@media (min-width:860px){.hero .two{grid-template-columns:1.15fr .85fr}}
.art{border-radius:calc(var(--radius) * 2);overflow:hidden;line-height:0}
.art img,.art svg{width:100%;display:block}
.action{margin:32px 0 0}
.button{display:inline-block;padding:14px 26px;border:2px solid var(--edge);border-radius:var(--radius);background:var(--act);color:var(--onAct);font-weight:650;text-decoration:none;text-align:center}
.button:hover{text-decoration:underline}
.band{background:var(--act);color:var(--onAct)}
.band .lead,.band a:not(.button){color:inherit}
.band .button{background:var(--onAct);border-color:var(--onAct);color:var(--act)}
.band .wrap{text-align:center}.band .lead{margin-inline:auto}
.cards,.people,.plans,.gallery{display:grid;gap:20px;grid-template-columns:repeat(auto-fit,minmax(min(100%,250px),1fr))}
.cards>li,.plans>li,.quotes figure{padding:26px;border:1px solid var(--line);border-radius:var(--radius);background:var(--paper)}
.cards img{border-radius:calc(var(--radius) / 2);margin-bottom:14px}
.steps{counter-reset:step;display:grid;gap:28px;grid-template-columns:repeat(auto-fit,minmax(min(100%,240px),1fr))}
.steps>li{counter-increment:step;padding-top:56px;position:relative}
.steps>li::before{content:counter(step);position:absolute;top:0;inset-inline-start:0;width:42px;height:42px;border-radius:50%;display:grid;place-items:center;border:2px solid var(--edge);background:var(--act);color:var(--onAct);font-weight:700}
details{border-bottom:1px solid var(--line);padding:18px 0}
summary{cursor:pointer;font-weight:650;font-size:19px}
details>div{margin-top:12px;max-width:44em}
.people{text-align:center}.people img{width:132px;height:132px;object-fit:cover;border-radius:50%;margin-bottom:14px}
.role{color:var(--muted);font-size:16px}
.quotes{display:grid;gap:20px;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr))}
.quotes blockquote{margin-bottom:16px;font-size:20px;line-height:1.45}
.quotes figcaption{color:var(--muted);font-size:16px}
.stats{display:grid;gap:24px;grid-template-columns:repeat(auto-fit,minmax(min(100%,180px),1fr))}
.stats div{display:flex;flex-direction:column-reverse}
.stats dd{margin:0;font-size:clamp(34px,5vw,52px);font-weight:750;line-height:1.1;color:var(--accent);font-family:${title}}
.stats dt{color:var(--muted)}
.plans>li{display:flex;flex-direction:column;gap:10px}.plans>li>*{margin:0}.plans>li .button{margin-top:auto}.plans ul{display:grid;gap:6px}
.price{font-size:34px;font-weight:750;color:var(--accent);line-height:1.2}
.logos{display:flex;flex-wrap:wrap;gap:28px 44px;align-items:center;justify-content:center}.logos img{max-height:52px;width:auto}
.gallery figcaption{margin-top:8px;color:var(--muted);font-size:16px}.gallery img{border-radius:var(--radius);width:100%}
.text{max-width:44em}.text img{border-radius:var(--radius)}
.text ul,.text ol,.cards ul,.plans ul,details ul{padding-inline-start:1.3em;margin-bottom:16px}
li.task{list-style:none}
.text h2{font-size:26px;margin-top:36px}.text h3{margin-top:28px}
pre{overflow:auto;padding:16px;border-radius:var(--radius);background:var(--soft);font-size:15px}
blockquote{border-inline-start:3px solid var(--line);padding-inline-start:18px}.quotes blockquote{border:0;padding:0}
.table{overflow-x:auto}
table{border-collapse:collapse;width:100%}.table table{min-width:420px}
th,td{padding:14px 16px;text-align:start;border-bottom:1px solid var(--line);vertical-align:top}
thead th{font-size:16px;color:var(--muted)}
.video{max-width:860px}.play,.video iframe{display:grid;place-items:center;width:100%;aspect-ratio:16/9;border:0;border-radius:calc(var(--radius) * 1.5);background:var(--act);color:var(--onAct);font-size:20px;font-weight:650;text-decoration:none;text-align:center;padding:20px}
.video iframe{padding:0}
.countdown{font-size:clamp(28px,5vw,48px);font-weight:750;font-variant-numeric:tabular-nums;unicode-bidi:plaintext;color:var(--accent)}
.form,.form-sent{max-width:520px}
.form-sent,.form-preview{padding:18px 20px;border-radius:var(--radius);background:var(--soft);border:1px solid var(--line)}
fieldset{margin:0;padding:0;border:0;min-width:0}
label,legend{font-weight:600}
.field{margin-bottom:18px}.field>label{display:block;margin-bottom:6px}
.choice{display:flex;gap:12px;padding:6px 0}.choice label{flex:1 1 0;min-width:0}
input[type=checkbox]{width:22px;height:22px;margin:3px 0 0;accent-color:var(--act)}
input.text,textarea,select{width:100%;max-width:none;min-height:48px;padding:10px 12px;border:1px solid var(--muted);border-radius:calc(var(--radius) / 1.5);background:var(--paper);color:inherit;font:inherit}
[aria-invalid=true]{border:2px solid var(--error)}
.error{margin:6px 0 0;color:var(--error);font-size:16px;font-weight:600}
div.error{margin:0 0 18px;padding:12px 14px;border:2px solid var(--error);border-radius:var(--radius)}
.small{font-size:15px;color:var(--muted)}
form button{min-height:50px;padding:12px 26px;border:2px solid var(--edge);border-radius:var(--radius);background:var(--act);color:var(--onAct);font:inherit;font-weight:650;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.band :focus-visible{outline-color:var(--onAct)}
.notice{padding:10px 24px;background:var(--soft);border-bottom:1px solid var(--line);font-size:15px;text-align:center}
body>footer{padding:36px 0;border-top:1px solid var(--line);color:var(--muted);font-size:16px}
body>footer .legal{display:flex;flex-wrap:wrap;gap:8px 24px}
body>footer ul{list-style:none;display:flex;flex-wrap:wrap;gap:8px 24px}
@media (forced-colors:active){.button,form button,.play{border:2px solid ButtonText}}
@media print{.button,form,.play{display:none}}`;
}
