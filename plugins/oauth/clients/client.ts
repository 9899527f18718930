// A client: a program that asks members for access. Known by its metadata document or by its registration.
import { z } from '../../../core/index.ts';

/** A client that may start a request for authorisation. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  /** The host that serves the metadata document; null for a registered client. */
  readonly host: string | null;
  readonly logoUri: string | undefined;
  readonly redirectUris: readonly string[];
}

/** The reason why a client cannot be used, as a sentence for people and for the client's developers. */
export interface ClientFault {
  readonly fault: string;
}

export const isClientFault = (found: OAuthClient | ClientFault): found is ClientFault => 'fault' in found;

/** The metadata of clients (RFC 7591, section 2) that the server reads. Other fields are ignored. */
export const clientMetadata = z.object({
  client_name: z.string().max(500).optional(),
  redirect_uris: z.array(z.string().max(1_000)).min(1).max(20),
  token_endpoint_auth_method: z.string().max(100).optional(),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
  logo_uri: z.string().max(1_000).optional(),
});

export type ClientMetadata = z.output<typeof clientMetadata>;

const maxName = 100;

/** The name on one line, short enough for a page, without characters that change the direction of text. */
export function nameOf(claimedName: string | undefined, fallback: string): string {
  const name = (claimedName ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' ? fallback : [...name].slice(0, maxName).join('');
}
