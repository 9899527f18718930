// Decides whether an SVG can be a logo: only the plain shapes and gradients listed here are accepted. Anything that
// could run code, load something or expand is refused before a renderer reads the file. Pure.

const maxBytes = 256 * 1_024;
const maxElements = 5_000;
const maxDepth = 60;
const maxPixels = 4_096;

const elements = new Set(
  [
    'svg g path rect circle ellipse line polyline polygon defs style title desc metadata',
    'linearGradient radialGradient stop clipPath mask',
  ].flatMap((names) => names.split(' ')),
);

/**
 * The reason why a style sheet or an attribute value is refused. Escapes and entities are refused, because they could
 * hide the other faults.
 */
function valueFault(value: string): string | undefined {
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(value)) return 'It has entities.';
  if (/\\|@|expression|javascript:|data:/i.test(value)) return 'Its styles load or run something.';
  // `url(#name)` refers to a gradient of the file itself.
  if (/url\s*\(\s*(?!["']?#)/i.test(value)) return 'It refers to something outside of the file.';
  return undefined;
}

function attributesFault(name: string, text: string): string | undefined {
  let remaining = text.replace(/\/$/, '');
  for (;;) {
    const match = /^\s+([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(remaining);
    if (match === null) break;
    remaining = remaining.slice(match[0].length);
    const attribute = (match[1] ?? '').toLowerCase();
    const value = match[2] ?? match[3] ?? '';
    if (attribute.startsWith('on')) return 'It has scripts.';
    if (/^(?:xmlns(?::.*)?|xml:space)$/.test(attribute)) continue;
    if (attribute === 'href' || attribute.endsWith(':href') || attribute.endsWith(':base')) {
      // A gradient may reference another gradient of the file for its colours.
      if (!/Gradient$/.test(name) || !/^#[\w.-]+$/.test(value)) return 'It refers to something outside of the file.';
      continue;
    }
    const fault = valueFault(value);
    if (fault !== undefined) return fault;
  }
  return remaining.trim() === '' ? undefined : 'It is not a well-formed SVG.';
}

/** The number of pixels of a length; infinite if its unit is unknown or relative. */
function pixelsOf(length: string): number {
  const [, number = '', unit = ''] = /^\+?(\d{1,9}(?:\.\d*)?)\s*(px|pt|mm|cm|in|)$/.exec(length.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { '': 1, px: 1, pt: 4 / 3, mm: 3.78, cm: 37.8, in: 96 };
  return number === '' ? Number.POSITIVE_INFINITY : Number(number) * (factors[unit] ?? 1);
}

/** The reason why the size of the root element is refused. */
function sizeFault(root: string): string | undefined {
  const attribute = (name: string): string | undefined => {
    const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root);
    return match?.[1] ?? match?.[2];
  };
  const box = attribute('viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  for (const [index, name] of ['width', 'height'].entries()) {
    const length = attribute(name);
    const pixels =
      length === undefined || length.trim() === '100%' ? (box?.[index + 2] ?? Number.NaN) : pixelsOf(length);
    if (!(pixels > 0 && pixels <= maxPixels)) return `Its ${name} must be given, and at most ${maxPixels} px.`;
  }
  return undefined;
}

/** The reason why the SVG cannot be a logo; undefined if it can. */
export function svgFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxBytes) return `An SVG has at most ${maxBytes / 1_024} KB.`;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'It is not UTF-8.';
  }
  const withoutComments = text.replace(/^\s*<\?xml[^<>?]*\?>/, '').replace(/<!--(?:(?!--)[\s\S])*-->/g, '');
  if (/<[!?]/.test(withoutComments)) return 'It has a document type, entities or instructions.';
  if (withoutComments.includes('\u0000')) return 'It is not a well-formed SVG.';
  const openElements: string[] = [];
  let count = 0;
  let end = 0;
  let root: string | undefined;
  for (const match of withoutComments.matchAll(
    /<(\/?)([A-Za-z_][\w:.-]*)(?![\w:.-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g,
  )) {
    const [whole, closes, name = '', rest = ''] = match;
    const between = withoutComments.slice(end, match.index);
    end = match.index + whole.length;
    if (between.includes('<') || (openElements.length === 0 && between.trim() !== ''))
      return 'It is not a well-formed SVG.';
    const fault = valueFault(between);
    if (fault !== undefined && openElements.at(-1) === 'style') return fault;
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(between)) return 'It has entities.';
    if (closes === '/') {
      if (openElements.pop() !== name) return 'It is not a well-formed SVG.';
      continue;
    }
    if (!elements.has(name)) return `It has an element ${name.slice(0, 40)}: a logo has plain shapes and gradients.`;
    if (root === undefined && name !== 'svg') return 'It is not an SVG.';
    if (openElements.length === 0 && root !== undefined) return 'It is not a well-formed SVG.';
    root ??= rest;
    count += 1;
    if (count > maxElements || openElements.length >= maxDepth) return 'It has too many elements.';
    const attributes = attributesFault(name, rest);
    if (attributes !== undefined) return attributes;
    if (!rest.endsWith('/')) openElements.push(name);
  }
  if (root === undefined || openElements.length > 0 || withoutComments.slice(end).trim() !== '')
    return 'It is not a well-formed SVG.';
  return sizeFault(root);
}
