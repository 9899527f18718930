// Checks DKIM signatures with mailauth, which shares no code with the signer of the service. Used by the tests of signed mail.
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/** The tags of a DKIM-Signature or of a DKIM record, without folding and white space. */
const dkimTags = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .replaceAll(/\s+/g, '')
      .split(';')
      .filter((part) => part !== '')
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );

/** The tags of the signature of the message, or undefined if it is unsigned */
export function signatureOf(raw: Buffer): ReadonlyMap<string, string> | undefined {
  const text = raw.toString('latin1');
  const fields = text.slice(0, text.indexOf('\r\n\r\n')).split(/\r\n(?![ \t])/);
  const field = fields.find((line) => /^dkim-signature:/i.test(line));
  return field === undefined ? undefined : dkimTags(field.slice(field.indexOf(':') + 1));
}

/**
 * The results of a receiver's check of the message's signatures: `pass`, `fail`, `neutral`, …; empty for an unsigned message.
 * @param record the DKIM record for any name that is looked up
 */
export async function dkimResults(raw: Buffer, record: string): Promise<string[]> {
  const { results } = await dkimVerify(raw, { resolver: async () => [[record]] });
  return results.map(({ status }) => status.result).filter((result) => result !== 'none');
}

/** True if the message has exactly one signature that matches the DKIM record */
export async function isSigned(raw: Buffer, record: string): Promise<boolean> {
  const results = await dkimResults(raw, record);
  return results.length === 1 && results[0] === 'pass';
}
