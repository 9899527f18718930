// Proactive negotiation of media types (RFC 9110, section 12.5.1). Pure; called by rest.ts.

/** One media range of an Accept header. */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; 0 refuses the type. */
  readonly quality: number;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const rangePattern = new RegExp(`^(${token})/(${token})$`);
const qualityPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** Splits at separators outside of quoted strings. A quote without an end runs to the end of the text. */
const partPatterns = {
  ',': /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^",])+/g,
  ';': /(?:"(?:[^"\\]|\\.?)*(?:"|$)|[^";])+/g,
};
const partsOf = (text: string, separator: ',' | ';'): string[] => text.match(partPatterns[separator]) ?? [];

/** Parses a media range. Undefined for an invalid range: it is ignored. */
function parseRange(text: string): MediaRange | undefined {
  const [media = '', ...parameters] = partsOf(text, ';').map((part) => part.trim().toLowerCase());
  const [, type, subtype] = rangePattern.exec(media) ?? [];
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return undefined;
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (weight !== undefined && !qualityPattern.test(weight)) return undefined;
  return { type, subtype, quality: weight === undefined ? 1 : Number(weight) };
}

/** How precisely a range matches a type: 3 by its full name, 2 by its type alone, 1 as any type, 0 not at all. */
function precision({ type, subtype }: MediaRange, offered: string): number {
  if (type === '*') return 1;
  const [offeredType, offeredSubtype] = offered.split('/');
  if (type !== offeredType) return 0;
  if (subtype === '*') return 2;
  return subtype === offeredSubtype ? 3 : 0;
}

/**
 * The best of the offered types, or undefined if none is acceptable. If several types are equally acceptable, the type that the
 * header names more precisely is chosen, then the type that is offered first. A missing header, or a header without a valid range,
 * accepts everything. Parameters of a range other than `q` are ignored.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  const ranges = partsOf(accept ?? '', ',').flatMap((part) => parseRange(part) ?? []);
  if (ranges.length === 0) return offered[0];
  let best: { readonly type: string; readonly quality: number; readonly rank: number } | undefined;
  for (const type of offered) {
    // Only the most precise matching ranges decide.
    const rank = Math.max(...ranges.map((range) => precision(range, type)));
    if (rank === 0) continue;
    const matching = ranges.filter((range) => precision(range, type) === rank);
    const quality = Math.max(...matching.map((range) => range.quality));
    if (quality === 0) continue;
    if (best === undefined || quality > best.quality || (quality === best.quality && rank > best.rank))
      best = { type, quality, rank };
  }
  return best?.type;
}
