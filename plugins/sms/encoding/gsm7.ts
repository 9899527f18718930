// The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, section 6.2.1), and stand-ins for characters that it
// lacks. Data and look-ups only.

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

const septets: ReadonlyMap<string, number> = new Map([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
]);

/** The septets of a character: 2 for those of the extension table, which are written as an escape pair. Undefined outside of GSM-7. */
export const septetsOf = (character: string): number | undefined => septets.get(character);

/** What people type on keyboards, or word processors make, and its nearest text in GSM-7. */
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
 * A text in GSM-7 that may stand for a character: what word processors replaced, or the letter without its mark. Undefined
 * where there is none.
 */
export function standInFor(character: string): string | undefined {
  const known = standIns[character];
  if (known !== undefined) return known;
  const [letter = ''] = character.normalize('NFKD');
  return letter !== character && septetsOf(letter) !== undefined ? letter : undefined;
}
