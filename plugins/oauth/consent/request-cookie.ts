// The signed cookie that stores a client's checked request between GET /oauth/authorize and the member's decision. It is valid for
// ten minutes and for one member. A browser has only one such cookie: a newer request replaces it, and the form of the older
// request is then refused.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type PublicRequest, type PublicRouteContext, type ServiceInfo, z } from '../../../core/index.ts';
import { cookiesOf, isLoopbackUrl } from '../../../core/unstable.ts';
import type { ConsentRequest } from '../authorize/consent-request.ts';

type Context = Pick<PublicRouteContext, 'ports' | 'now'>;

const lifeMs = 600_000;
const purpose = 'oauth consent';
/** Browsers drop larger cookies. */
const maxLength = 4_000;

const content = z.object({
  id: z.string(),
  member: z.string(),
  expiresAt: z.number(),
  request: z.custom<ConsentRequest>((value) => typeof value === 'object' && value !== null),
});

/** A request that waits for the decision of its member. */
export interface WaitingRequest {
  readonly id: string;
  readonly request: ConsentRequest;
}

/** The reason why the request is missing. */
export type CookieFault = 'missing' | 'expired' | 'of_another_member';

const nameOf = ({ slug }: Pick<ServiceInfo, 'slug'>): string => `${slug}_consent`;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Whether the cookie is Secure. Browsers ignore a Secure cookie without TLS, except on this machine. */
function isSecure({ publicUrl }: Pick<ServiceInfo, 'publicUrl'>, { headers }: Pick<PublicRequest, 'headers'>): boolean {
  if (publicUrl !== undefined) return publicUrl.startsWith('https:');
  return !isLoopbackUrl(`http://${headers.host ?? ''}`);
}

/**
 * The path of the cookie is the folder of the address that sets it, so it is correct wherever the service is mounted.
 */
const attributes = (ctx: Context, request: Pick<PublicRequest, 'headers'>, seconds: number): string =>
  `HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure(ctx.ports.service, request) ? '; Secure' : ''}`;

/** The value of Set-Cookie; undefined if the request is too long for a cookie. */
export function consentCookie(
  ctx: Context,
  http: Pick<PublicRequest, 'headers'>,
  member: string,
  request: ConsentRequest,
): string | undefined {
  const { keyring, ids, service } = ctx.ports;
  const value = JSON.stringify({ id: ids.create('req'), member, expiresAt: ctx.now + lifeMs, request });
  const text = base64(deflateRawSync(value));
  const cookie = `${text}.${base64(keyring.mac(text, purpose))}`;
  if (cookie.length > maxLength) return undefined;
  return `${nameOf(service)}=${cookie}; ${attributes(ctx, http, lifeMs / 1_000)}`;
}

/** The value of Set-Cookie that ends the request. */
export const noConsentCookie = (ctx: Context, http: Pick<PublicRequest, 'headers'>): string =>
  `${nameOf(ctx.ports.service)}=; ${attributes(ctx, http, 0)}`;

/** The content that this service signed; undefined for anything else. */
function signedContent({ ports: { keyring } }: Context, cookie: string) {
  const [, text = '', mac = ''] = /^([\w-]+)\.([\w-]{43})$/.exec(cookie) ?? [];
  if (text === '' || !keyring.verifyMac(Buffer.from(mac, 'base64url'), text, purpose)) return undefined;
  return content.parse(JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString('utf8')));
}

/** The request that waits for this member, or the reason why there is no such request. */
export function waitingRequest(
  ctx: Context,
  { headers }: Pick<PublicRequest, 'headers'>,
  member: string,
): WaitingRequest | CookieFault {
  const cookie = cookiesOf(headers.cookie)[nameOf(ctx.ports.service)];
  if (cookie === undefined) return 'missing';
  const content = signedContent(ctx, cookie);
  if (content === undefined) return 'missing';
  if (content.expiresAt <= ctx.now) return 'expired';
  if (content.member !== member) return 'of_another_member';
  return { id: content.id, request: content.request };
}
