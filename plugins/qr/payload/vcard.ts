// Builds the text of a code with a contact: vCard 4.0 (RFC 6350).
import type { Vcard } from '../schema.ts';

/** Escapes backslash, comma, semicolon and line breaks in a text value (RFC 6350, section 3.4). */
const escaped = (text: string): string =>
  text
    .replace(/[\\,;]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // Control characters except the tab are not allowed in a value (section 3.3).
    .replace(/(?!\t)\p{Cc}/gu, '');

/** Folds a line that is longer than 75 bytes: it continues in the next line, after a space (section 3.2). No character is split. */
export function folded(line: string): string {
  const lines: string[] = [];
  let now = '';
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > 75) {
      lines.push(now);
      now = ' ';
      bytes = 1;
    }
    now += letter;
    bytes += size;
  }
  return [...lines, now].join('\r\n');
}

/** A telephone number as a URI of RFC 3966. Visual separators become hyphens. */
const telUri = (phone: string): string => `tel:${phone.replace(/[^\d+]+/g, '-').replace(/^-|-$/g, '')}`;

/** The text of the code. */
export function vcardText(card: Vcard): string {
  const { firstName, lastName, organisation, title, phones, emails, url, address, note } = card;
  const optional = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${name}:${escaped(value)}`];
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${escaped(`${firstName} ${lastName}`)}`,
    `N:${escaped(lastName)};${escaped(firstName)};;;`,
    ...optional('ORG', organisation),
    ...optional('TITLE', title),
    ...phones.map((phone) => `TEL;VALUE=uri:${telUri(phone)}`),
    ...emails.map((email) => `EMAIL:${escaped(email)}`),
    // A URI is not a text value, so nothing in it is escaped (section 4.2).
    ...(url === undefined ? [] : [`URL:${new URL(url).href}`]),
    // The address has no separate parts, so the street contains all of it (section 6.3.1).
    ...(address === undefined ? [] : [`ADR:;;${escaped(address)};;;;`]),
    ...optional('NOTE', note),
    'END:VCARD',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
