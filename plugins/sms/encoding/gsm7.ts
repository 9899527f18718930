// The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, section 6.2.1), and replacements for characters that are in
// neither. Data and lookups only.

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

const septets: ReadonlyMap<string, number> = new Map([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
]);

/** The number of septets of a character: 2 for the extension table, whose characters follow an escape. Undefined if not in GSM-7. */
export const septetsOf = (character: string): number | undefined => septets.get(character);

/** Characters that people type or that word processors insert, each with the most similar text in GSM-7. */
const standIns: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '«': '"',
  '»': '"',
  '″': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '‹': "'",
  '›': "'",
  '′': "'",
  '`': "'",
  '´': "'",
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '…': '...',
  '•': '*',
  '·': '.',
  '×': 'x',
  '÷': '/',
  '\u00a0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2007': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\t': ' ',
  '\u2028': '\n',
  '\u200b': '',
  '\u200c': '',
  '\u200d': '',
  '\u2060': '',
  '\ufeff': '',
  '™': 'TM',
  '®': '(R)',
  '©': '(C)',
  '№': 'No.',
};

/**
 * A replacement in GSM-7 for a character: the plain form of a character that word processors insert, or the letter without its
 * mark. Undefined if there is none.
 */
export function gsmReplacementFor(character: string): string | undefined {
  const standIn = standIns[character];
  if (standIn !== undefined) return standIn;
  const [letter = ''] = character.normalize('NFKD');
  return letter !== character && septetsOf(letter) !== undefined ? letter : undefined;
}
