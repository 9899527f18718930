import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

/** RFC 8301, section 3.2: signers should use at least 2048 bits. Longer keys do not fit into one DNS response over UDP. */
const bits = 2_048;

/**
 * A new key pair for DKIM: the private key as PEM (PKCS 8), the public key as SPKI in base64. Takes about 100 ms in another
 * thread.
 */
export async function createKeyPair(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey: publicKey.toString('base64') };
}
