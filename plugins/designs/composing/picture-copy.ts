// Takes the texts of an embedded composition from a brief. Pure.
import { beginning, shortened } from '../../../core/unstable.ts';

/** The texts of the picture. */
export interface PictureCopy {
  readonly heading: string;
  /** Empty if the brief contains only the heading. */
  readonly line: string;
}

const maxHeading = 80;
const maxLine = 140;

/** The instruction before the topic of a brief: "Make a banner for our …", "A post about …". */
const about =
  '(?:for|about|announcing|that announces|that says|which says|saying|to announce|to promote|promoting)\\s+';
const verb = '(?:please\\s+)?(?:create|make|design|draw|compose|write|build)\\s+(?:me\\s+|us\\s+)?';
const thing = '(?:post|banner|picture|image|cover|story|header|thumbnail|pin|card|graphic|visual|ad|hero|flyer|poster)';
const instruction = new RegExp(
  `^(?:${verb}[^.,:;!?"“]{0,60}?\\b(?:for\\s+|${about})|an?\\s+(?:[\\w-]+\\s+){0,3}${thing}\\s+${about})`,
  'i',
);
const quoted = /["“„«]([^"“”„«»]{2,80})["”“»]/;

/** The text on one line, with an ellipsis character in place of three or more dots. */
const plainOf = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\.{3,}|…[.…]+/g, '…')
    .trim();

/** Shortens a text at a comma, semicolon or dash if possible, otherwise at a word. */
function clauseOf(text: string, maxCharacters: number): string {
  const plain = text.replace(/[.,;:\s]+$/, '');
  if (plain.length <= maxCharacters) return plain;
  const cut = beginning(plain, maxCharacters);
  const clause = cut.search(/[,;–—][^,;–—]*$/u);
  if (clause >= maxCharacters * 0.4) return cut.slice(0, clause).trimEnd();
  return shortened(plain, maxCharacters);
}

const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** The text of a brief around its heading in quotation marks. If the heading is part of an instruction, the instruction is left out. */
function aroundOf(plain: string, { 0: quotedText, index }: RegExpExecArray): string {
  const after = plain.slice(index + quotedText.length);
  const isOrder = instruction.test(plain) && !/[.!?]/.test(plain.slice(0, index));
  return isOrder ? after.replace(/^[^.!?]*[.!?]*/, '') : `${plain.slice(0, index)} ${after}`;
}

/** The texts from a title and its description, shortened for a picture. If the description begins with the title, that part is removed. */
export function copyFrom(title: string, description: string): PictureCopy {
  const [heading, descriptionText] = [plainOf(title), plainOf(description)];
  // The length of the heading is taken before the change to lower case, because İ becomes two characters in lower case.
  const repeats = descriptionText.slice(0, heading.length).toLowerCase() === heading.toLowerCase();
  const line = repeats ? descriptionText.slice(heading.length).replace(/^[\s.,:;!?–—-]+/u, '') : descriptionText;
  return { heading: clauseOf(heading, maxHeading), line: clauseOf(line, maxLine) };
}

/** The heading is the first text in quotation marks or, if there is none, the first sentence. The next sentence is the line below. */
export function copyOf(brief: string, fallback: string): PictureCopy {
  const plain = plainOf(brief);
  const quote = quoted.exec(plain);
  const text = quote === null ? plain.replace(instruction, '') : aroundOf(plain, quote);
  const sentences = (plainOf(text).match(/[^.!?…]+[.!?…]*/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(sentence));
  if (quote?.[1] !== undefined) {
    return { heading: clauseOf(quote[1].trim(), maxHeading), line: clauseOf(sentences[0] ?? '', maxLine) };
  }
  const [first = fallback, second = ''] = sentences;
  // A sentence with a colon is split into the heading and the line.
  const [head = first, tail] = /^([^:]{4,60}):\s+(.{4,})$/.exec(first)?.slice(1) ?? [];
  return {
    heading: capitalised(clauseOf(head, maxHeading)),
    line: capitalised(clauseOf(tail ?? second, maxLine)),
  };
}
