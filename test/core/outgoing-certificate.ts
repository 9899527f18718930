// A self-signed certificate, written in DER by hand because Node cannot create certificates. For the tests of outgoing requests.
import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const long = content.length > 0xff ? [0x82, content.length >> 8, content.length & 0xff] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...(content.length < 0x80 ? [content.length] : long)]), content]);
};
const sequence = (...parts: readonly Uint8Array[]) => element(0x30, ...parts);
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const time = (text: string) => element(0x18, Buffer.from(text));

const ecdsaWithSha256 = sequence(element(0x06, bytes('2a8648ce3d040302')));
const commonName = sequence(
  element(0x31, sequence(element(0x06, bytes('550403')), element(0x0c, Buffer.from('A test')))),
);

/** Creates a certificate for these names and IPv4 addresses, valid until the given year. */
export function createCertificate(names: readonly string[], addresses: readonly string[], year = 2099): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternatives = sequence(
    ...names.map((name) => element(0x82, Buffer.from(name))),
    ...addresses.map((address) => element(0x87, Uint8Array.from(address.split('.'), Number))),
  );
  const extension = sequence(element(0x06, bytes('551d11')), element(0x04, alternatives));
  const contents = sequence(
    element(0xa0, element(0x02, bytes('02'))),
    element(0x02, bytes('01')),
    ecdsaWithSha256,
    commonName,
    sequence(time('20200101000000Z'), time(`${year}0101000000Z`)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(extension)),
  );
  const signature = element(0x03, bytes('00'), sign('sha256', contents, privateKey));
  const cert = sequence(contents, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
