// Checks DKIM signatures with mailauth, which shares no code with what signs. Used by the tests of mail that is signed.
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** The tags of a DKIM-Signature or of a DKIM record, folding and white space taken out. */
const dkimTags = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .replaceAll(/\s+/g, '')
      .split(';')
      .filter((part) => part !== '')
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );

/** The tags of the message's signature; undefined where it is unsigned. */
export function signatureOf(raw: Buffer): ReadonlyMap<string, string> | undefined {
  const text = raw.toString('latin1');
  const fields = text.slice(0, text.indexOf('\r\n\r\n')).split(/\r\n(?![ \t])/);
  const field = fields.find((line) => /^dkim-signature:/i.test(line));
  return field === undefined ? undefined : dkimTags(field.slice(field.indexOf(':') + 1));
}

/**
 * What a receiver says of the message's signatures: `pass`, `fail`, `neutral`, …; none for an unsigned message.
 * @param record the DKIM record, whatever the name that is looked up
 */
export async function dkimResults(raw: Buffer, record: string): Promise<string[]> {
  const { results } = await dkimVerify(raw, { resolver: async () => [[record]] });
  return results.map(({ status }) => status.result).filter((result) => result !== 'none');
}

/** Whether the message's one signature fits the DKIM record. */
export async function isSigned(raw: Buffer, record: string): Promise<boolean> {
  const results = await dkimResults(raw, record);
  return results.length === 1 && results[0] === 'pass';
}
