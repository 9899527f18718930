// Reads SVG. An SVG is accepted only if it cannot run code, load anything or contain links. Elements that are not known to be harmless are
// refused: the drawing elements of SVG 1.1 and 2 are listed here. Pure, and linear in the length of the text.
import { brokenFile, FormatFault, type ReadPicture } from './fault.ts';
import { SvgReferences } from './svg-references.ts';

const refuse = (fault: string): never => {
  throw new FormatFault(
    `The SVG has ${fault}, which is not accepted. Export it as a plain picture, with texts as paths.`,
  );
};

/** The accepted elements, which draw or describe. Animation, scripts, frames and links are not among them. */
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

/** A text with its entities replaced. Without a DOCTYPE, only the five entities of XML and numeric characters exist. */
const decodeEntities = (text: string): string =>
  text.replace(/&([^;&]{0,12};?)/g, (_, reference: string) => {
    const [, decimal, hex, name] = /^(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]+));$/.exec(reference) ?? [];
    const entity = name === undefined ? undefined : namedEntities[name];
    if (entity !== undefined) return entity;
    const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : refuse('an entity');
  });

/** A style sheet or style attribute without its comments. */
function withoutComments(style: string): string {
  let remaining = '';
  for (let at = 0; ; ) {
    const start = style.indexOf('/*', at);
    if (start === -1) return remaining + style.slice(at);
    const end = style.indexOf('*/', start + 2);
    if (end === -1) refuse('a comment without an end');
    remaining += style.slice(at, start);
    at = end + 2;
  }
}

/** Checks a style: a rule may reference only the document itself. */
function checkStyle(input: string): void {
  checkRules(input);
  // Inside of a string or a URL, `/*` does not begin a comment, so the style must be harmless with and without comments.
  if (input.includes('/*')) checkRules(withoutComments(input));
}

function checkRules(style: string): void {
  // With backslash escapes, any word of a style sheet can be written in another way.
  if (style.includes('\\') || /@(?!media\b|font-face\b|supports\b)/i.test(style))
    refuse('a style that loads something');
  if (/expression|javascript|behavior|-moz-binding|image-set|image\s*\(|src\s*:/i.test(style))
    refuse('a style that loads something');
  for (const [, target = ''] of style.matchAll(/url\s*\(\s*["']?\s*([^"')]*)/gi))
    if (!target.startsWith('#') && !embedded.test(target.trim())) refuse('a reference to something outside of it');
}

/** Attributes whose value increases the work for each pixel, with the highest value that is accepted. */
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
  if (element === costlyElement && value.split(/[\s,]+/).some((number) => Number(number) > (max ?? 0)))
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

/** The maximum number of elements and attributes together. A browser or renderer keeps all of them in memory. */
const maxParts = 20_000;

const tooManyParts = () =>
  new FormatFault(`The SVG has more than ${maxParts} elements and attributes. Simplify it, or export it as a PNG.`);

/** The start tag at `from`. */
function readTag(text: string, from: number): StartTag {
  const tagName = /<([A-Za-z_][\w:.-]*)/y;
  tagName.lastIndex = from;
  const name = tagName.exec(text)?.[1];
  if (name === undefined) throw brokenFile('SVG');
  let end = tagName.lastIndex;
  const attributes = new Map<string, string>();
  for (;;) {
    attribute.lastIndex = end;
    const match = attribute.exec(text);
    if (match === null) break;
    const [, key = '', double, single = ''] = match;
    if (attributes.has(key)) throw brokenFile('SVG');
    if (attributes.size > maxParts) throw tooManyParts();
    attributes.set(key, decodeEntities(double ?? single));
    end = attribute.lastIndex;
  }
  const closing = /\s*(\/?)>/y;
  closing.lastIndex = end;
  const close = closing.exec(text);
  if (close === null) throw brokenFile('SVG');
  return { name, attributes, isEmpty: close[1] === '/', end: closing.lastIndex };
}

const svgSpace = 'http://www.w3.org/2000/svg';

/** A length in px; undefined in other units. */
const pixels = (text = ''): number | undefined => {
  if (text.length > 40) return undefined;
  const [, value] = /^\s*(\d*\.?\d+)(?:px)?\s*$/.exec(text) ?? [];
  return value === undefined ? undefined : Math.round(Number(value));
};

function dimensionsOf(root: ReadonlyMap<string, string>): Pick<ReadPicture, 'width' | 'height'> {
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

/** The position after the next `mark` at or after `from`. @throws FormatFault if there is none */
function positionAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at === -1) throw brokenFile('SVG');
  return at + mark.length;
}

/** Whether a text begins like an SVG, after an optional XML declaration and comments. */
export const hasSvgStart = (text: string): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE\s+svg|<(?:[\w-]+:)?svg[\s>/])/i.test(
    text,
  );

/** The state while a document is read. */
interface Reading {
  readonly text: string;
  /** The names of the open elements. */
  readonly open: string[];
  /** The namespace of each prefix. A prefix has one meaning in the whole document. */
  readonly spaces: Map<string, string>;
  /** The elements and their references. */
  readonly references: SvgReferences;
  root: ReadonlyMap<string, string> | undefined;
  /** The number of elements and attributes so far. */
  parts: number;
  /** The text of the open `style` element; undefined outside of one. Its text and CDATA parts are joined. */
  style: string | undefined;
}

/** The element's SVG name; empty for elements of editors in another namespace, such as sodipodi:namedview. */
function localName({ spaces }: Reading, { name, attributes }: StartTag): string {
  for (const [key, value] of attributes) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
    const prefix = key === 'xmlns' ? '' : key.slice(6);
    if ((spaces.get(prefix) ?? value) !== value || /xhtml|mathml/i.test(value)) refuse('parts that are not SVG');
    spaces.set(prefix, value);
  }
  const colon = name.indexOf(':');
  const space = spaces.get(colon === -1 ? '' : name.slice(0, colon));
  if (space === svgSpace) return name.slice(colon + 1);
  if (colon === -1 || space === undefined) throw brokenFile('SVG');
  return '';
}

/** Reads the start tag at `at`, and returns its end. */
function readStart(reading: Reading, at: number): number {
  const tag = readTag(reading.text, at);
  reading.parts += 1 + tag.attributes.size;
  if (reading.parts > maxParts) throw tooManyParts();
  if (reading.style !== undefined || (reading.root !== undefined && reading.open.length === 0)) throw brokenFile('SVG');
  const local = localName(reading, tag);
  if (reading.root === undefined && local !== 'svg') throw brokenFile('SVG');
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
  const end = positionAfter(reading.text, '>', at);
  if (reading.open.pop() !== reading.text.slice(at + 2, end - 1).trim()) throw brokenFile('SVG');
  reading.references.close();
  if (reading.style !== undefined) {
    checkStyle(reading.style);
    reading.references.style(reading.style);
    if (reading.style.includes('/*')) reading.references.style(withoutComments(reading.style));
  }
  reading.style = undefined;
  return end;
}

/** Reads text between tags. */
function readText(reading: Reading, text: string): void {
  if (reading.open.length === 0 && text.trim() !== '') throw brokenFile('SVG');
  if (reading.style !== undefined) reading.style += text;
}

/** Reads the markup that begins with `<` at `at`, and returns its end. */
function readMarkup(reading: Reading, at: number): number {
  const { text } = reading;
  if (text.startsWith('<!--', at)) return positionAfter(text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) {
    const end = positionAfter(text, ']]>', at);
    readText(reading, text.slice(at + 9, end - 3));
    return end;
  }
  if (text.startsWith('<!', at)) refuse('a DOCTYPE');
  if (text.startsWith('<?', at)) {
    const end = positionAfter(text, '?>', at);
    if (
      !/^<\?xml\s+version=["']1\.\d["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>$/i.test(
        text.slice(at, end),
      )
    )
      refuse('an instruction for programs, or another encoding than UTF-8');
    if (reading.root !== undefined) throw brokenFile('SVG');
    return end;
  }
  return text.startsWith('</', at) ? readEnd(reading, at) : readStart(reading, at);
}

/** Marks that are processed one by one. Real pictures contain few of them. */
const costlyMarks = [
  ['url', 'references'],
  ['&', 'characters that are written as entities'],
] as const;
const maxMarks = 20_000;

/** Whether a text contains a mark more than `max` times. */
function hasMore(text: string, mark: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1 && count <= max; at = text.indexOf(mark, at + 1)) count += 1;
  return count > max;
}

/** @throws FormatFault if the SVG is broken, or could run code, load anything or contain links */
export function readSvg(bytes: Uint8Array): ReadPicture {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw brokenFile('SVG');
  }
  const reading: Reading = {
    text,
    open: [],
    spaces: new Map(),
    references: new SvgReferences(text.includes('style')),
    root: undefined,
    parts: 0,
    style: undefined,
  };
  const counted = text.toLowerCase();
  for (const [mark, description] of costlyMarks)
    if (hasMore(counted, mark, maxMarks)) refuse(`more than ${maxMarks} ${description}`);
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    readText(reading, decodeEntities(text.slice(at, next === -1 ? text.length : next)));
    if (next === -1) break;
    at = readMarkup(reading, next);
  }
  if (reading.root === undefined || reading.open.length > 0) throw brokenFile('SVG');
  const fault = reading.references.fault();
  if (fault !== undefined) refuse(fault);
  return { ...dimensionsOf(reading.root), durationMs: null };
}
