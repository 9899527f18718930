// The private key of a DKIM signature (RFC 6376): parses the program's value and reports the fault of an invalid one. Called when
// an SMTP adapter is made, and for each message with its own key. No message repeats a part of the key.
import { createPrivateKey, type KeyObject } from 'node:crypto';

/** RFC 8301, section 3.2: receivers must not accept a signature by a shorter key. */
const minBits = 1_024;
/** A key of 16,384 bits has about 13,000 characters. */
const maxLength = 32_768;
const expectedForm = 'Give the RSA key as PEM, from "-----BEGIN PRIVATE KEY-----" on.';

/** The reason why a value cannot be used to sign. */
export type DkimKeyFault = { readonly fault: string };

const fault = (input: string, solution = expectedForm): DkimKeyFault => ({ fault: `${input} ${solution}` });

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([\s\S]*?)-----END \1-----/g;
const privateLabels: ReadonlySet<string> = new Set([
  'PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'DSA PRIVATE KEY',
]);
const base64 = /^[A-Za-z0-9+/\s]+=*\s*$/;

/** Replaces written-out line breaks, as in environment variables and JSON. */
const withLineBreaks = (text: string): string => text.replace(/\\r\\n|\\n|\\r/g, '\n');

/** The PEM, decoded from base64, as secrets are often stored. Any other text is returned unchanged. */
function unwrapped(text: string): string {
  if (text.includes('-----') || !base64.test(text)) return text;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return decoded.includes('-----BEGIN ') ? decoded : text;
}

/** The fault of a text without a PEM block, by its apparent form. */
function unknownForm(text: string): DkimKeyFault {
  if (/^ssh-|^ecdsa-/.test(text)) return fault('It is an SSH public key.');
  if (/(?:^|;)\s*[vkp]=/.test(text)) return fault('It is the DNS record, which holds the public key.');
  if (/-----(?:BEGIN|END) /.test(text))
    return fault('It is not the whole PEM block: its first or its last line is missing.');
  if (/^M[A-Za-z0-9+/\s]{60,}=*$/.test(text))
    return fault('It is the key without the lines that begin and end a PEM block.');
  if (/^(?:file:|~|\.{0,2}[\\/]|[A-Za-z]:\\)|^[^\s]{1,400}\.(?:pem|key|txt|der|p8)$/.test(text))
    return fault('It is the path of a file.', `Read the file first: readFileSync(path, 'utf8').`);
  return fault('It is not a PEM block.');
}

/** The text of the only private key. */
function pemOf(value: unknown): { readonly pem: string } | DkimKeyFault {
  if (value instanceof Uint8Array)
    return fault('It is bytes, not a text.', `Read the file with readFileSync(path, 'utf8').`);
  if (typeof value !== 'string')
    return fault(`It is ${value === null ? 'null' : `of type ${typeof value}`}, not a text.`);
  if (value.length > maxLength) return fault(`It has more than ${maxLength} characters.`);
  const text = withLineBreaks(unwrapped(value.replace(/^\ufeff/, '').trim())).trim();
  if (text === '') return fault('It is empty.');
  if (/^["'`]|["'`]$/.test(text)) return fault('It is in quotes.', 'Remove the quotes.');
  const blocks = [...text.matchAll(block)].map(([, label = '', body = '']) => ({ label, body }));
  if (blocks.length === 0) return unknownForm(text);
  const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  const [key, second] = keys;
  if (second !== undefined) return fault(`It holds ${keys.length} private keys.`, 'Give one.');
  if (key === undefined) return fault(`It is a ${blocks[0]?.label.toLowerCase()}, not the private key.`);
  if (key.label === 'ENCRYPTED PRIVATE KEY' || /ENCRYPTED|DEK-Info/.test(key.body))
    return fault('It is encrypted with a passphrase.', 'Decrypt it: openssl pkey -in key.pem -out plain.pem.');
  if (key.label === 'OPENSSH PRIVATE KEY')
    return fault('It is in the OpenSSH format.', 'Convert it: ssh-keygen -p -m PEM -f key.');
  if (!privateLabels.has(key.label)) return fault(`It is a ${key.label.toLowerCase()}.`);
  // The key may be indented, or in one line, because white space is meaningless within base64.
  const lines = key.body.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return { pem: `-----BEGIN ${key.label}-----\n${lines.join('\n')}\n-----END ${key.label}-----\n` };
}

const typeNames: Readonly<Record<string, string>> = {
  ec: 'an elliptic curve key (ECDSA), for which DKIM has no signatures',
  ed25519: 'an Ed25519 key (RFC 8463), with which this adapter cannot sign',
  ed448: 'an Ed448 key, for which DKIM has no signatures',
  'rsa-pss': 'an RSA-PSS key, for which DKIM has no signatures',
  dsa: 'a DSA key, for which DKIM has no signatures',
};

/** Parses a key that can sign with rsa-sha256: PEM, PEM with `\n` written out, or PEM in base64. */
export function readDkimKey(value: unknown): KeyObject | DkimKeyFault {
  const pem = pemOf(value);
  if ('fault' in pem) return pem;
  let key: KeyObject;
  try {
    key = createPrivateKey(pem.pem);
  } catch {
    return fault('Its PEM block does not contain a readable key: it is cut off or changed.');
  }
  const type = key.asymmetricKeyType ?? 'unknown';
  if (type !== 'rsa')
    return fault(`It is ${typeNames[type] ?? `a key of type ${type}`}.`, 'Give an RSA key of 2,048 bits as PEM.');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return bits < minBits
    ? fault(
        `It has ${bits} bits, and receivers refuse RSA keys below ${minBits}.`,
        'Give an RSA key of 2,048 bits as PEM.',
      )
    : key;
}
