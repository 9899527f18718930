// SVG: accepted only where nothing in it can run, load or lead anywhere. What is not known to be harmless is refused: the
// elements and attributes of SVG 1.1 and 2 that draw are listed here. Pure, and linear in the length of the text.
import { broken, FormatFault, type ReadPicture } from './fault.ts';
import { References } from './svg-references.ts';

const refuse = (what: string): never => {
  throw new FormatFault(
    `The SVG has ${what}, which is not accepted. Export it as a plain picture, with texts as paths.`,
  );
};

/** Elements that draw or describe; animation, scripts, frames and links are not among them. */
const elements = new Set(
  (
    'svg g defs symbol use title desc metadata style path rect circle ellipse line polyline polygon text tspan textPath ' +
    'linearGradient radialGradient stop pattern clipPath mask marker image switch view filter feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow ' +
    'feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight ' +
    'feSpecularLighting feSpotLight feTile feTurbulence'
  ).split(' '),
);

const embedded = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;
const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its references replaced; only the five entities of XML and characters by number are there without a DOCTYPE. */
const decoded = (text: string): string =>
  text.replace(/&([^;&]{0,12};?)/g, (_, reference: string) => {
    const [, decimal, hex, name] = /^(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]+));$/.exec(reference) ?? [];
    const known = name === undefined ? undefined : namedEntities[name];
    if (known !== undefined) return known;
    const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : refuse('an entity');
  });

/** A style without its comments. */
function withoutComments(style: string): string {
  let kept = '';
  for (let at = 0; ; ) {
    const start = style.indexOf('/*', at);
    if (start === -1) return kept + style.slice(at);
    const end = style.indexOf('*/', start + 2);
    if (end === -1) refuse('a comment without an end');
    kept += style.slice(at, start);
    at = end + 2;
  }
}

/** Styles: a rule may point into the document, and nowhere else. */
function checkStyle(given: string): void {
  checkRules(given);
  // What looks like a comment is none inside of a string or an address, so both readings must be harmless.
  if (given.includes('/*')) checkRules(withoutComments(given));
}

function checkRules(style: string): void {
  // A backslash can spell any word of a style sheet in another way.
  if (style.includes('\\') || /@(?!media\b|font-face\b|supports\b)/i.test(style))
    refuse('a style that loads something');
  if (/expression|javascript|behavior|-moz-binding|image-set|image\s*\(|src\s*:/i.test(style))
    refuse('a style that loads something');
  for (const [, target = ''] of style.matchAll(/url\s*\(\s*["']?\s*([^"')]*)/gi))
    if (!target.startsWith('#') && !embedded.test(target.trim())) refuse('a reference to something outside of it');
}

/** Attributes whose work grows with their value, for each pixel: with the highest one that pictures need. */
const costly: Readonly<Record<string, readonly [element: string, max: number]>> = {
  numoctaves: ['feTurbulence', 10],
  radius: ['feMorphology', 50],
  order: ['feConvolveMatrix', 15],
};

function checkAttribute(element: string, name: string, value: string): void {
  const local = name.slice(name.indexOf(':') + 1).toLowerCase();
  if (local.startsWith('on')) refuse('a script');
  if (name === 'xmlns' || name.startsWith('xmlns:')) return;
  if (local === 'base') refuse('a reference to something outside of it');
  if (local === 'href' || local === 'src') {
    const target = value.trim();
    if (target !== '' && !target.startsWith('#') && !(element === 'image' && embedded.test(target)))
      refuse('a reference to something outside of it');
    return;
  }
  const [costlyElement, max] = costly[local] ?? [];
  if (element === costlyElement && value.split(/[\s,]+/).some((one) => Number(one) > (max ?? 0)))
    refuse(`a filter with ${name} over ${max}`);
  if (/javascript\s*:|vbscript\s*:/i.test(value)) refuse('a script');
  checkStyle(value);
}

const attribute = /\s+([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

interface StartTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
  readonly end: number;
}

/** Elements and attributes together: a browser and a renderer keep each of them. */
const maxParts = 20_000;

const tooManyParts = () =>
  new FormatFault(`The SVG has more than ${maxParts} elements and attributes. Simplify it, or export it as a PNG.`);

/** The start tag at `from`. */
function readTag(text: string, from: number): StartTag {
  const named = /<([A-Za-z_][\w:.-]*)/y;
  named.lastIndex = from;
  const name = named.exec(text)?.[1];
  if (name === undefined) throw broken('SVG');
  let end = named.lastIndex;
  const attributes = new Map<string, string>();
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(text);
    if (found === null) break;
    const [, key = '', double, single = ''] = found;
    if (attributes.has(key)) throw broken('SVG');
    if (attributes.size > maxParts) throw tooManyParts();
    attributes.set(key, decoded(double ?? single));
    end = attribute.lastIndex;
  }
  const closing = /\s*(\/?)>/y;
  closing.lastIndex = end;
  const close = closing.exec(text);
  if (close === null) throw broken('SVG');
  return { name, attributes, isEmpty: close[1] === '/', end: closing.lastIndex };
}

const svgSpace = 'http://www.w3.org/2000/svg';

/** A length in px; undefined in other units. */
const pixels = (text = ''): number | undefined => {
  if (text.length > 40) return undefined;
  const [, value] = /^\s*(\d*\.?\d+)(?:px)?\s*$/.exec(text) ?? [];
  return value === undefined ? undefined : Math.round(Number(value));
};

function measuresOf(root: ReadonlyMap<string, string>): Pick<ReadPicture, 'width' | 'height'> {
  const [width, height] = [pixels(root.get('width')), pixels(root.get('height'))];
  if (width !== undefined && height !== undefined) return { width, height };
  const box = (root.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , across = Number.NaN, down = Number.NaN] = box;
  return across > 0 && down > 0
    ? { width: Math.round(across), height: Math.round(down) }
    : { width: null, height: null };
}

/** Where what begins at `from` ends; broken where it does not. */
function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at === -1) throw broken('SVG');
  return at + mark.length;
}

/** Whether a text begins as SVG does: behind a declaration and comments. */
export const looksLikeSvg = (text: string): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE\s+svg|<(?:[\w-]+:)?svg[\s>/])/i.test(
    text,
  );

/** One document while it is read. */
interface Reading {
  readonly text: string;
  /** The names of the elements that are open. */
  readonly open: string[];
  /** The namespace of each prefix; one meaning in the whole document. */
  readonly spaces: Map<string, string>;
  /** What points to what. */
  readonly references: References;
  root: ReadonlyMap<string, string> | undefined;
  /** Elements and attributes up to here. */
  parts: number;
  /** The style sheet that is open: its pieces are one text, however they are written. */
  style: string | undefined;
}

/** The element's name in SVG; empty for those of editors, such as sodipodi:namedview, in a namespace of their own. */
function localName({ spaces }: Reading, { name, attributes }: StartTag): string {
  for (const [key, value] of attributes) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
    const prefix = key === 'xmlns' ? '' : key.slice(6);
    if ((spaces.get(prefix) ?? value) !== value || /xhtml|mathml/i.test(value)) refuse('parts that are no SVG');
    spaces.set(prefix, value);
  }
  const colon = name.indexOf(':');
  const space = spaces.get(colon === -1 ? '' : name.slice(0, colon));
  if (space === svgSpace) return name.slice(colon + 1);
  if (colon === -1 || space === undefined) throw broken('SVG');
  return '';
}

/** Reads the start tag at `at` and answers where it ends. */
function readStart(reading: Reading, at: number): number {
  const tag = readTag(reading.text, at);
  reading.parts += 1 + tag.attributes.size;
  if (reading.parts > maxParts) throw tooManyParts();
  if (reading.style !== undefined || (reading.root !== undefined && reading.open.length === 0)) throw broken('SVG');
  const local = localName(reading, tag);
  if (reading.root === undefined && local !== 'svg') throw broken('SVG');
  reading.root ??= tag.attributes;
  if (local !== '' && !elements.has(local)) refuse(`the element ${local.slice(0, 40)}`);
  for (const [key, value] of tag.attributes) checkAttribute(local, key, value);
  reading.references.open(local, tag.attributes);
  if (tag.isEmpty) reading.references.close();
  else {
    reading.open.push(tag.name);
    if (reading.open.length > 500) refuse('too many levels');
    if (local === 'style') reading.style = '';
  }
  return tag.end;
}

function readEnd(reading: Reading, at: number): number {
  const end = after(reading.text, '>', at);
  if (reading.open.pop() !== reading.text.slice(at + 2, end - 1).trim()) throw broken('SVG');
  reading.references.close();
  if (reading.style !== undefined) {
    checkStyle(reading.style);
    reading.references.style(reading.style);
    if (reading.style.includes('/*')) reading.references.style(withoutComments(reading.style));
  }
  reading.style = undefined;
  return end;
}

/** Text between tags. */
function readText(reading: Reading, text: string): void {
  if (reading.open.length === 0 && text.trim() !== '') throw broken('SVG');
  if (reading.style !== undefined) reading.style += text;
}

/** What begins with `<` at `at`; answers where it ends. */
function readMarkup(reading: Reading, at: number): number {
  const { text } = reading;
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) {
    const end = after(text, ']]>', at);
    readText(reading, text.slice(at + 9, end - 3));
    return end;
  }
  if (text.startsWith('<!', at)) refuse('a DOCTYPE');
  if (text.startsWith('<?', at)) {
    const end = after(text, '?>', at);
    if (
      !/^<\?xml\s+version=["']1\.\d["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>$/i.test(
        text.slice(at, end),
      )
    )
      refuse('an instruction for programs, or another encoding than UTF-8');
    if (reading.root !== undefined) throw broken('SVG');
    return end;
  }
  return text.startsWith('</', at) ? readEnd(reading, at) : readStart(reading, at);
}

/** What is looked at one by one, and of which a picture in earnest has few. */
const costlyMarks = [
  ['url', 'references'],
  ['&', 'characters that are written as entities'],
] as const;
const maxMarks = 20_000;

/** Whether a mark stands in a text more often than that. */
function hasMore(text: string, mark: string, max: number): boolean {
  let found = 0;
  for (let at = text.indexOf(mark); at !== -1 && found <= max; at = text.indexOf(mark, at + 1)) found += 1;
  return found > max;
}

/** @throws FormatFault for what is broken, or could run, load or lead somewhere */
export function readSvg(bytes: Uint8Array): ReadPicture {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw broken('SVG');
  }
  const reading: Reading = {
    text,
    open: [],
    spaces: new Map(),
    references: new References(text.includes('style')),
    root: undefined,
    parts: 0,
    style: undefined,
  };
  const counted = text.toLowerCase();
  for (const [mark, what] of costlyMarks) if (hasMore(counted, mark, maxMarks)) refuse(`more than ${maxMarks} ${what}`);
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    readText(reading, decoded(text.slice(at, next === -1 ? text.length : next)));
    if (next === -1) break;
    at = readMarkup(reading, next);
  }
  if (reading.root === undefined || reading.open.length > 0) throw broken('SVG');
  const fault = reading.references.fault();
  if (fault !== undefined) refuse(fault);
  return { ...measuresOf(reading.root), durationMs: null };
}
