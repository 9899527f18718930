// Checks a DKIM signature by RFC 6376 alone, apart from the code that signs: canonicalization relaxed/relaxed, rsa-sha256.
import { createHash, createPublicKey, createVerify } from 'node:crypto';

/** The tags of a DKIM-Signature or of a DKIM record, folding and white space taken out. */
export const dkimTags = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .replaceAll(/\s+/g, '')
      .split(';')
      .filter((part) => part !== '')
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Section 3.4.2. */
const relaxedField = ({ name, value }: Field): string =>
  `${name.toLowerCase()}:${value
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()}`;

/** Section 3.4.4. */
function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`;
}

/** A message's fields, top down, and its body. */
function parse(raw: Buffer): { readonly fields: readonly Field[]; readonly body: string } {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const fields = text
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1) }));
  return { fields, body: text.slice(end + 4) };
}

/** The tags of the message's signature; undefined where it is unsigned. */
export function signatureOf(raw: Buffer): ReadonlyMap<string, string> | undefined {
  const field = parse(raw).fields.find(({ name }) => name.toLowerCase() === 'dkim-signature');
  return field === undefined ? undefined : dkimTags(field.value);
}

/** Whether the message's signature fits the DKIM record, as a receiver checks it. */
export function isSigned(raw: Buffer, record: string): boolean {
  const { fields, body } = parse(raw);
  const signature = fields.find(({ name }) => name.toLowerCase() === 'dkim-signature');
  if (signature === undefined) return false;
  const tags = dkimTags(signature.value);
  if (tags.get('a') !== 'rsa-sha256' || tags.get('c') !== 'relaxed/relaxed') return false;
  const bodyHash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64');
  if (tags.get('bh') !== bodyHash) return false;
  const left = [...fields].reverse();
  const signed = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const at = left.findIndex((field) => field.name.toLowerCase() === name.toLowerCase());
    return at < 0 ? [] : left.splice(at, 1).map((field) => `${relaxedField(field)}\r\n`);
  });
  const unsigned = { name: signature.name, value: signature.value.replace(/(\bb=)[^;]*/, '$1') };
  const key = createPublicKey({
    key: Buffer.from(dkimTags(record).get('p') ?? '', 'base64'),
    format: 'der',
    type: 'spki',
  });
  return createVerify('sha256')
    .update(signed.join('') + relaxedField(unsigned), 'latin1')
    .verify(key, tags.get('b') ?? '', 'base64');
}
