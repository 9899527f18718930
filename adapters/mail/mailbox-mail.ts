// Parses a report that arrived as mail, within limits: its header fields, its parts as text, and the returned message. Called by
// the other mailbox files. Strangers wrote everything in the mail: it may be huge, nested, cut off or in an unknown character set.
import PostalMime, { decodeWords, type Email } from 'postal-mime';

/**
 * The maximum part of a mail that is read. A report's data precede the returned message, whose first lines identify it. The
 * parser would take seconds for millions of lines or parts.
 */
const maxLines = 2_000;
const maxBytes = 524_288;

const maxHeaderBytes = 65_536;
/** Eight times the maximum length of a line (RFC 5322, section 2.1.1). */
const maxLineBytes = 8_192;
const lineEnd = Buffer.from('\r\n');

/**
 * The header fields of the mail itself that the parser needs. It would also parse the addresses in other fields, which an
 * attacker could make slow.
 */
const neededFields = /^(?:content-[a-z-]+|mime-version|message-id):/i;

interface MailBeginning {
  /** For the parser: the beginning with only the needed fields of its header. */
  readonly parserInput: Buffer;
  readonly header: string;
  readonly body: string;
  /** The character set of texts that do not name one. */
  readonly charset: string | undefined;
}

/** Ends lines with LF if the mail has only CR. */
const withLineFeeds = (bytes: Buffer): Buffer =>
  bytes.includes(0x0a) || !bytes.includes(0x0d)
    ? bytes
    : Buffer.from(bytes.subarray(0, maxBytes).map((byte) => (byte === 0x0d ? 0x0a : byte)));

function beginningOf(mail: Uint8Array): MailBeginning {
  const bytes = withLineFeeds(Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength));
  const [parserChunks, header, body]: [Buffer[], Buffer[], Buffer[]] = [[], [], []];
  let [start, size, headerSize, isHeader, isNeeded] = [0, 0, 0, true, false];
  for (let line = 0; line < maxLines && start < bytes.length && size + headerSize < maxBytes; line += 1) {
    const next = bytes.indexOf(0x0a, start);
    const end = next === -1 ? bytes.length : next + 1;
    const beginning = bytes.toString('latin1', start, Math.min(end, start + 64));
    if (/^\r?\n/.test(beginning)) isHeader = false;
    // A field may continue on the next line, which then begins with white space.
    if (isHeader && !/^[ \t]/.test(beginning)) isNeeded = neededFields.test(beginning);
    const isLong = end - start > maxLineBytes;
    const lineBytes = isLong ? bytes.subarray(start, start + maxLineBytes) : bytes.subarray(start, end);
    if (!isHeader || isNeeded) {
      parserChunks.push(lineBytes);
      if (isLong) parserChunks.push(lineEnd);
      size += lineBytes.length;
    }
    (isHeader ? header : body).push(lineBytes);
    if (isHeader) headerSize += lineBytes.length;
    start = end;
  }
  const beginningBytes = Buffer.concat(parserChunks);
  const charset = charsetOf(beginningBytes.toString('latin1'));
  const text = (chunks: Buffer[]): string => decoded(Buffer.concat(chunks), charset);
  return { parserInput: beginningBytes, header: text(header).slice(0, maxHeaderBytes), body: text(body), charset };
}

/** Four bytes outside ASCII in a row. Western European texts have no such words. */
const otherScript = /[\x80-\xff]{4}/;

/** The text in a character set that a mail names; undefined for UTF-8, for an unknown set, and if the text is not in it. */
function inCharset(bytes: Uint8Array, charset: string | undefined): string | undefined {
  if (charset === undefined || /^(?:utf-?8|us-ascii|ascii)$/i.test(charset)) return undefined;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Bytes as text. Japanese is recognised by its escape sequences. Bytes that are not UTF-8 are read in the character set that the mail
 * names elsewhere. Servers also write Chinese, Japanese or Cyrillic text into mails that name no character set. If bytes look like such
 * a script, they are read as GB 18030, which contains all of these scripts, otherwise as Western European.
 */
function decoded(bytes: Uint8Array, charset?: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes('\u001b$')) return new TextDecoder('iso-2022-jp').decode(buffer);
  const unicode = new TextDecoder('utf-8').decode(buffer);
  const replacedCount = unicode.match(/\ufffd/g)?.length ?? 0;
  // A few bytes may be damaged or cut off, so a text with few replacements still counts as UTF-8.
  if (replacedCount === 0 || (unicode.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0) > replacedCount) return unicode;
  const inStatedCharset = inCharset(buffer, charset);
  if (inStatedCharset !== undefined) return inStatedCharset;
  return new TextDecoder(otherScript.test(buffer.toString('latin1')) ? 'gb18030' : 'windows-1252').decode(buffer);
}

/** The first character set that the mail names, apart from UTF-8, ASCII and Western European sets, which most mails name. */
const charsetOf = (mail: string): string | undefined =>
  [...mail.matchAll(/\bcharset\s*=\s*"?([\w.:-]{1,40})/gi)]
    .map(([, charset]) => charset)
    .find((charset) => charset !== undefined && !/^(?:utf-?8|us-ascii|ascii|iso-8859-1|windows-1252)$/i.test(charset));

/** A group of header fields, by lower-case name. */
export type FieldGroup = ReadonlyMap<string, string>;

/** Such a field begins a new group if the current group already has it, because some servers leave out the empty line. */
const recipientFields: ReadonlySet<string> = new Set(['final-recipient', 'action', 'status']);

/** Groups of header fields, separated by empty lines. If any other name occurs twice in a group, the first field is used. */
export function groupsOf(text: string): FieldGroup[] {
  const groups: Map<string, string>[] = [];
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)) {
    let fields = new Map<string, string>();
    groups.push(fields);
    for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      if (fields.has(name) && recipientFields.has(name)) {
        fields = new Map();
        groups.push(fields);
      }
      if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
    }
  }
  return groups;
}

/** A parsed report. */
export interface ReportMail {
  /** The whole header, folded as it came. */
  readonly header: string;
  /** The header's fields. If a name occurs twice, the first field is used. */
  readonly fields: FieldGroup;
  /** Decoded. */
  readonly subject: string;
  /** The human-readable text: the text parts, else the HTML as text, else the whole body. */
  readonly text: string;
  readonly messageId: string | undefined;
  /** The content of the first part of these types, as text. */
  part(...types: string[]): string | undefined;
  /** The texts of all parts, for searches over the whole mail. */
  readonly allText: string;
}

const toBytes = (content: string | ArrayBuffer | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer);

const plainOf = (html: string): string =>
  html
    .slice(0, 200_000)
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;|&#39;/g, "'")
    .replace(/&amp;/g, '&');

const typeOf = (mimeType: string): string => (/^[^\s;]*/.exec(mimeType)?.[0] ?? '').toLowerCase();

/** Parses a mail; undefined if its headers are longer than a report's headers can be. */
export async function readReportParts(mail: Uint8Array): Promise<ReportMail | undefined> {
  const { parserInput, header, body, charset } = beginningOf(mail);
  const options = { forceRfc822Attachments: true, maxHeadersSize: maxHeaderBytes };
  const email: Email | undefined = await PostalMime.parse(parserInput, options).catch(() => undefined);
  if (email === undefined) return undefined;
  const parts = email.attachments.map(({ mimeType, content }) => ({ type: typeOf(mimeType), content }));
  const textOf = (content: string | ArrayBuffer | Uint8Array): string => decoded(toBytes(content), charset);
  const texts = parts.filter(({ type }) => type === 'text/plain').map(({ content }) => textOf(content));
  const plainText = [email.text ?? '', ...texts].filter((text) => text.trim() !== '').join('\n\n');
  const readableText = plainText === '' ? plainOf(email.html ?? '') : plainText;
  const fields = groupsOf(header)[0] ?? new Map<string, string>();
  return {
    header,
    fields,
    subject: decodeWords(fields.get('subject')?.slice(0, 1_000) ?? ''),
    text: (readableText.trim() === '' ? body : readableText).slice(0, 100_000),
    messageId: email.messageId,
    part(...types) {
      const part = parts.find(({ type }) => types.includes(type));
      return part === undefined ? undefined : textOf(part.content);
    },
    get allText() {
      return [email.text, email.html, body, ...parts.map(({ content }) => textOf(content))].join('\n');
    },
  };
}
