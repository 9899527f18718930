// The words of an embedded composition, taken from a brief. Pure.

/** What stands in the picture. */
export interface Copy {
  readonly heading: string;
  /** Empty where the brief says no more. */
  readonly line: string;
}

const maxHeading = 80;
const maxLine = 140;

/** What a brief says before what it is about: "Make a banner for our …". */
const order =
  /^(?:please\s+)?(?:create|make|design|draw|compose|write|build)\s+(?:me\s+|us\s+)?(?:an?|the|our|some)?\s*[^.,:;!?"“]{0,60}?\b(?:for|about|announcing|that announces|that says|which says|saying|to announce|to promote|promoting)\s+/i;
const quoted = /["“„«]([^"“”„«»]{2,80})["”“»]/;

const plainOf = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** Shortened at a comma, or else at a word. */
function shortened(text: string, most: number): string {
  const plain = text.replace(/[.,;:\s]+$/, '');
  if (plain.length <= most) return plain;
  const cut = plain.slice(0, most);
  const clause = cut.search(/[,;–—][^,;–—]*$/u);
  if (clause >= most * 0.4) return cut.slice(0, clause).trimEnd();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).trimEnd()}…`;
}

const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** The first words in quotation marks are the heading; without them the first sentence. The next sentence stands below it. */
export function copyOf(brief: string, fallback: string): Copy {
  const plain = plainOf(brief);
  const said = quoted.exec(plain);
  const text = said === null ? plain.replace(order, '') : plain.replace(said[0], ' ').replace(order, '');
  const sentences = (plainOf(text).match(/[^.!?…]+[.!?…]*/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(sentence));
  if (said?.[1] !== undefined) {
    // What stood around the quotation is an order, not copy, unless it is a sentence of its own.
    const rest = sentences.filter((sentence) => !order.test(plain) || !plain.slice(0, said.index).includes(sentence));
    return { heading: shortened(said[1].trim(), maxHeading), line: shortened(rest.at(-1) ?? '', maxLine) };
  }
  const [first = fallback, second = ''] = sentences;
  // A sentence with a colon is a heading and what it says.
  const [head = first, tail] = /^([^:]{4,60}):\s+(.{4,})$/.exec(first)?.slice(1) ?? [];
  return {
    heading: capitalised(shortened(head, maxHeading)),
    line: capitalised(shortened(tail ?? second, maxLine)),
  };
}
