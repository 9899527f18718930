// Passwords of links: scrypt (RFC 7914) with a salt for each password.
import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

/** 16 MiB and about 40 ms for each hash. */
const cost = { N: 2 ** 14, r: 8, p: 1 } as const;
const saltLength = 16;
const keyLength = 32;

/** Normalises the password, because keyboards may compose or decompose the same letters. */
const bytesOf = (password: string): string => password.normalize('NFC');

/** Salt and key, as they are stored. Synchronous, because a transaction may wait only for its database. */
export function hashPassword(password: string): Uint8Array {
  const salt = randomBytes(saltLength);
  return new Uint8Array(Buffer.concat([salt, scryptSync(bytesOf(password), salt, keyLength, cost)]));
}

/** Whether the password matches. Runs outside the event loop and compares in constant time. */
export async function verifyPassword(password: string, stored: Uint8Array): Promise<boolean> {
  const salt = stored.subarray(0, saltLength);
  const key = await new Promise<Buffer>((resolve, reject) =>
    scrypt(bytesOf(password), salt, keyLength, cost, (error, derived) => (error ? reject(error) : resolve(derived))),
  );
  return timingSafeEqual(key, stored.subarray(saltLength));
}
