// The published keys of an issuer: given as an option, at a URL, or found through the issuer's metadata. The package jose keeps
// fetched keys for ten minutes and fetches them again for an unknown key id, at most every half minute.
import type { JWTVerifyGetKey } from 'jose';
import type { TrustedIssuer } from './options.ts';

type Jose = typeof import('jose');

const timeoutMs = 5_000;

/** The possible URLs of an issuer's metadata: OpenID Connect Discovery, and RFC 8414. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

async function metadataAt(
  url: string,
): Promise<{ readonly issuer?: unknown; readonly jwks_uri?: unknown } | undefined> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) return undefined;
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null ? body : undefined;
}

/** @throws Error if no metadata of this issuer contains the URL of its keys */
async function findKeysUrl(issuer: string): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const metadata = await metadataAt(url).catch(() => undefined);
    if (metadata?.issuer === issuer && typeof metadata.jwks_uri === 'string') return metadata.jwks_uri;
  }
  throw new Error(`No metadata of the issuer ${issuer} names its keys. Give oauthPlugin their URL as jwks.`);
}

/** Makes the look-up of an issuer's keys. Nothing is fetched before the first token. */
export function createKeys({ issuer, jwks }: TrustedIssuer): (jose: Jose) => Promise<JWTVerifyGetKey> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const createKeySet = async ({ createLocalJWKSet, createRemoteJWKSet }: Jose): Promise<JWTVerifyGetKey> => {
    if (typeof jwks === 'object')
      return createLocalJWKSet({ keys: [...jwks.keys] as Parameters<typeof createLocalJWKSet>[0]['keys'] });
    const url = jwks ?? (await findKeysUrl(issuer));
    return createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs });
  };
  return (jose) => {
    keys ??= createKeySet(jose).catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
}
