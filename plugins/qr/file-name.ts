// The name of an export. Pure.
import { beginning } from '../../core/unstable.ts';
import type { QrContent, QrFormat } from './schema.ts';

const ending: Readonly<Record<QrFormat, string>> = {
  svg: '.svg',
  png: '.png',
  webp: '.webp',
  'png-print': '-print.png',
  pdf: '.pdf',
};

const maxLetters = 60;

/** The content of a design in a few words; empty for a short link, whose URL is not part of the design. */
function contentOf(encodes: QrContent): string {
  if (encodes.kind === 'wifi') return encodes.ssid;
  if (encodes.kind === 'vcard') return `${encodes.firstName} ${encodes.lastName}`;
  if (encodes.kind === 'shortLink') return '';
  return encodes.payload.replace(/^https?:\/\/(www\.)?/, '');
}

const wordsOf = (text: string): string => beginning(text.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim(), maxLetters).trim();

/** A file name from the design's label; if it has none, from its content; otherwise from its id. */
export function fileName(
  { label, id, encodes }: { readonly label: string | null; readonly id: string; readonly encodes: QrContent },
  format: QrFormat,
): string {
  return `${wordsOf(label ?? '') || wordsOf(contentOf(encodes)) || id}${ending[format]}`;
}
