// The head that all starters share: typography, small screens, dark mode. A starter gets the rules of its own classes.
// Dark mode has three parts: the colour schemes that a mail declares, a media query, and the attributes that
// Outlook.com sets. They are separate style elements, since a client drops a whole element that it cannot parse.
import { markedOrientation, type Orientation } from './marks.ts';
import { dark, light, outlookMono, outlookSans, sans } from './palette.ts';

/** Selectors and their declarations. */
type Rule = readonly [selectors: string, declarations: string];

const painted = (property: string, colours: readonly (readonly [selectors: string, colour: string])[]): Rule[] =>
  colours.map(([selectors, colour]) => [selectors, `${property}: ${colour} !important`]);

const smallScreens: readonly Rule[] = [
  ['.inset > table > tbody > tr > td', 'padding-left: 24px !important; padding-right: 24px !important'],
  ['.outset > table > tbody > tr > td', 'padding-left: 25px !important; padding-right: 25px !important'],
  ['.button table', 'width: 100% !important'],
  ['.button a', 'display: block !important'],
  ['.display div, .display h1', 'font-size: 34px !important; line-height: 42px !important'],
  [
    '.stack',
    'display: block !important; width: auto !important; padding-left: 0 !important; padding-right: 0 !important',
  ],
  ['.stack-space', 'padding-top: 8px !important'],
];

const darkBackgrounds = painted('background', [
  ['.page, .page > div, .notch', dark.page],
  ['.card, .card > table', dark.card],
  ['.sunk, .sunk > table', dark.sunk],
  ['.band, .band > table', dark.band],
  ['.button table td, .button a, .reached', dark.accent],
  ['.band .button table td, .band .button a', dark.onBand],
  ['.quiet-button table td, .quiet-button a', dark.card],
  ['.ahead', dark.line],
  ['.logo img', dark.ink],
]);

const darkBorders = painted('border-color', [
  ['.line, .line p, .card > table > tbody > tr > td', dark.line],
  ['.ink-line', dark.ink],
  ['.accent-line, .quiet-button table td', dark.accent],
]);

const darkColours = painted('color', [
  ['.ink, .ink div', dark.ink],
  ['.soft, .soft div', dark.soft],
  ['.button a, .reached', dark.onAccent],
  ['.accent, .accent div, .quiet-button a', dark.accent],
  ['.on-band, .on-band div', dark.onBand],
  ['.on-band-soft div', dark.onBandSoft],
]);

const darkShapes: readonly Rule[] = [['.logo img', 'padding: 4px 8px !important; border-radius: 6px !important']];

/** Prints the rules whose classes a body uses, one on each line. */
function print(rules: readonly Rule[], body: string, before = ''): string {
  const names = new Set([...body.matchAll(/class="([^"]*)"/g)].flatMap(([, value]) => value?.split(/[\s{}%]+/) ?? []));
  const isUsed = (selector: string) =>
    [...selector.matchAll(/\.([a-z-]+)/g)].every(([, name]) => names.has(name ?? ''));
  return rules
    .flatMap(([selectors, declarations]) => {
      const used = selectors.split(', ').filter(isUsed);
      const all = used.map((selector) => before + selector).join(', ');
      return used.length === 0 ? [] : `          ${all} { ${declarations}; }`;
    })
    .join('\n');
}

/**
 * A whole source: the head, then the body.
 * @param title the title of the mail, which screen readers announce; Liquid
 * @param orientation its language and direction (default: marks)
 */
export function mail(
  title: string,
  body: string,
  { language, direction, start }: Orientation = markedOrientation,
): string {
  const known = `class="ink soft button${body.includes('<mj-divider') ? ' line' : ''}" ${body}`;
  const paper = [...darkBackgrounds, ...darkBorders];
  return `<mjml lang="${language}" dir="${direction}">
  <mj-head>
    <mj-title>${title}</mj-title>
    <mj-attributes>
      <mj-all font-family="${sans}" />
      <mj-wrapper direction="${direction}" padding="0" />
      <mj-section direction="${direction}" padding="0" />
      <mj-column direction="${direction}" />
      <mj-text align="${start}" padding="0" font-size="16px" line-height="26px" color="${light.ink}" css-class="ink" />
      <mj-table align="${start}" padding="0" font-size="16px" line-height="24px" color="${light.ink}" css-class="ink" />
      <mj-button padding="0" inner-padding="14px 28px" border-radius="8px" background-color="${light.accent}" color="${light.onAccent}" font-size="16px" line-height="24px" font-weight="600" align="${start}" css-class="button" />
      <mj-divider padding="0" border-width="1px" border-color="${light.line}" css-class="line" />
      <mj-class name="soft" color="${light.soft}" css-class="soft" />
      <mj-class name="small" font-size="14px" line-height="22px" color="${light.soft}" css-class="soft" />
    </mj-attributes>
    <mj-raw>
      <meta name="color-scheme" content="light dark">
      <meta name="supported-color-schemes" content="light dark">
      <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
      <!--[if mso]><style>
        body, table, td, div, p, a, span, strong, h1, h2 { font-family: ${outlookSans} !important; }
        .mono, .mono span, .mono div { font-family: ${outlookMono} !important; }
        td, div, p, a, h1, h2 { mso-line-height-rule: exactly; }
      </style><![endif]-->
      <style>
        :root { color-scheme: light dark; supported-color-schemes: light dark; }
        @media only screen and (max-width: 480px) {
${print(smallScreens, known)}
        }
      </style>
      <style>
        @media (prefers-color-scheme: dark) {
${print([...paper, ...darkColours, ...darkShapes], known)}
        }
      </style>
      <style>
${print(paper, known, '[data-ogsb] ')}
${print(darkColours, known, '[data-ogsc] ')}
      </style>
    </mj-raw>
  </mj-head>
${body}</mjml>
`;
}
