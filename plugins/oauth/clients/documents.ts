// Clients by metadata document: the client's id is the URL of its document (draft-ietf-oauth-client-id-metadata-document). Documents
// are fetched through the address guard and kept in memory as long as their headers allow, an hour at most.
import { isOutgoingError, type OutgoingResponse, type ServiceContext } from '../../../core/index.ts';
import { isLoopbackUrl, parseUrl } from '../../../core/unstable.ts';
import { type ClientFault, clientMetadata, nameOf, type OAuthClient } from './client.ts';
import { allowedRedirects } from './redirects.ts';

const maxBytes = 5 * 1_024;
const timeoutMs = 5_000;
const [hourMs, defaultMs, faultMs] = [3_600_000, 300_000, 30_000];
const maxDocuments = 500;

/** Fetches documents and caches them. */
export interface ClientDocuments {
  find(ctx: ServiceContext & { readonly now: number }, id: string): Promise<OAuthClient | ClientFault>;
}

/** Whether a client's id is the URL of a document. */
export const isDocumentUrl = (id: string): boolean => /^https?:\/\//.test(id);

/** The reason why the URL cannot be a client's id. In development, a program on this machine may serve it over http. */
function urlFault(id: string, development: boolean): string | undefined {
  const url = id.length > 500 ? undefined : parseUrl(id);
  if (url === undefined) return 'The client id is not a URL.';
  const isLocal = development && isLoopbackUrl(id);
  if (url.protocol !== 'https:' && !isLocal) return 'The client id must be an https URL.';
  if (url.href !== id) return 'The client id must be a URL in its normal spelling.';
  if (url.pathname === '/' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'The client id must be a URL with a path, without a fragment and without a user name.';
  return undefined;
}

/** The time for which the answer may be cached (RFC 9111). */
export function cacheMs({ headers }: Pick<OutgoingResponse, 'headers'>): number {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const age = /\bmax-age="?(\d+)/.exec(control)?.[1];
  return age === undefined ? defaultMs : Math.min(Number(age) * 1_000, hourMs);
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

function clientOf(id: string, document: unknown, schemes: ReadonlySet<string>): OAuthClient | ClientFault {
  const parsed = clientMetadata.safeParse(document);
  if (!parsed.success) return { fault: 'The client’s metadata document is not valid: it needs redirect_uris.' };
  if ((document as { readonly client_id?: unknown }).client_id !== id)
    return { fault: 'The client’s metadata document names another client_id.' };
  const { client_name: name, redirect_uris: uris, token_endpoint_auth_method: method, logo_uri } = parsed.data;
  if (method !== undefined && method !== 'none')
    return {
      fault: `The client authenticates by ${method.slice(0, 50)}. Clients are public here: use the method none, and PKCE.`,
    };
  const redirectUris = allowedRedirects(uris, schemes);
  if (redirectUris === undefined)
    return { fault: 'The client’s metadata document has a redirect URI that is not allowed.' };
  const { host } = new URL(id);
  const logo = logo_uri === undefined ? undefined : parseUrl(logo_uri);
  const logoUri = logo?.host === host && logo.protocol === 'https:' ? logo_uri : undefined;
  return { id, name: nameOf(name, host), host, logoUri, redirectUris };
}

function faultOf(error: unknown): string {
  if (!isOutgoingError(error)) throw error;
  if (error.fault === 'address_refused' || error.fault === 'url_refused')
    return 'The client’s metadata document is not on a public address.';
  return 'The client’s metadata document could not be fetched.';
}

/** Makes the cache of one service's documents. `schemes`: the private-use schemes that the program registered. */
export function createDocuments(schemes: ReadonlySet<string>): ClientDocuments {
  const cache = new Map<string, { readonly result: OAuthClient | ClientFault; readonly until: number }>();

  const fetchDocument = async ({ ports }: ServiceContext, id: string) => {
    const headers = { accept: 'application/json' };
    try {
      const answer = await ports.outgoing.request({
        url: id,
        method: 'GET',
        headers,
        timeoutMs,
        maxResponseBytes: maxBytes,
      });
      if (answer.status !== 200)
        return { result: { fault: `The client’s metadata document answers ${answer.status}.` }, ms: faultMs };
      if (answer.cut) return { result: { fault: 'The client’s metadata document is larger than 5 kB.' }, ms: faultMs };
      const result = clientOf(id, parsedJson(answer.body), schemes);
      return { result, ms: 'fault' in result ? faultMs : cacheMs(answer) };
    } catch (error) {
      return { result: { fault: faultOf(error) }, ms: faultMs };
    }
  };

  return {
    async find(ctx, id) {
      const fault = urlFault(id, ctx.ports.service.environment === 'development');
      if (fault !== undefined) return { fault };
      const cached = cache.get(id);
      if (cached !== undefined && cached.until > ctx.now) return cached.result;
      const { result, ms } = await fetchDocument(ctx, id);
      cache.delete(id);
      if (cache.size >= maxDocuments) cache.delete(cache.keys().next().value ?? '');
      if (ms > 0) cache.set(id, { result, until: ctx.now + ms });
      return result;
    },
  };
}
