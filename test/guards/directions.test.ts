// The styles of pages that visitors see must name no side of the screen: pages in Arabic and Hebrew are mirrored.
import { suite } from 'uvu';
import { assertFaultsAt, assertNoFaults, type Fault, readSources, type SourceText } from './sources.ts';

const test = suite('directions of styles');

/** Mail programs do not know logical properties. Mails say their direction in attributes and mirror their tables. */
const mails = 'plugins/templates/starters/';

const sides = [
  /(?:margin|padding|border)-(?:left|right)\s*:/,
  /(?:text-align|float)\s*:\s*(?:left|right)\b/,
  // Styles in code have no spaces after a brace, and literals of objects have one.
  /[;{](?:left|right):/,
];
/** Four distances whose second and fourth differ. */
const fourSides = /(?:margin|padding):([^\s;}]+) ([^\s;}]+) ([^\s;}]+) ([^\s;}]+)[;}]/g;
const isUneven = (text: string): boolean => [...text.matchAll(fourSides)].some(([, , right, , left]) => right !== left);
const rule =
  'Name the start or the end of a line (margin-inline-start, inset-inline-end, text-align:start), not a side.';

const faultsIn = ({ path, source }: SourceText): Fault[] =>
  source
    .split('\n')
    .flatMap((text, index) =>
      sides.some((side) => side.test(text)) || isUneven(text) ? [{ path, line: index + 1, rule }] : [],
    );

test('no style names the left or the right side', () => {
  const files = readSources(['core', 'plugins', 'hosts']).filter(({ path }) => !path.startsWith(mails));
  assertNoFaults(files.flatMap(faultsIn));
});

test('a side in a style is found, and the start of a line and objects with sides are not', () => {
  const path = 'plugins/pages/rendering/style.ts';
  const source = [
    '.skip{position:absolute;left:-9999px}',
    'li{padding-left: 1em}',
    'td{text-align:right}',
    'legend{float:left}',
    'p{margin:0 0 4px 34px}',
    'p{margin:1px 2px 3px 2px}td{text-align:start;padding-inline-start:1em;inset-inline-end:0}',
    'const edges = { left: 1, right: 2 };',
  ].join('\n');
  assertFaultsAt(faultsIn({ path, source }), [`${path}:1`, `${path}:2`, `${path}:3`, `${path}:4`, `${path}:5`]);
});

test.run();
