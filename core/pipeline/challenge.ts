// The header WWW-Authenticate (RFC 6750) of refused requests: at the MCP endpoint it also names where clients find the
// authorisation server (RFC 9728) and the scopes to ask for. Called by admit.ts and the MCP endpoint.
import type { Core } from './core.ts';

/** The reason of a refusal. (Default: the request has no token) */
interface ChallengeReason {
  readonly error?: 'invalid_token' | 'insufficient_scope';
  /** The scopes that a client should ask for. (Default: the scopes of the preset `read`) */
  readonly scopes?: readonly string[];
}

/** Removes characters that a quoted string of a header cannot carry: a brand may contain them. */
const quoted = (text: string): string => `"${text.replace(/[^ -~]|["\\]/g, '')}"`;

const realmOf = ({ ports }: Core): string => `Bearer realm=${quoted(ports.service.name)}`;

/** The challenge for callers that must send an API key. */
export const keyChallenge = (core: Core): Readonly<Record<string, string>> => ({ 'WWW-Authenticate': realmOf(core) });

/** The challenge for clients of the MCP endpoint. */
export function toolChallenge(core: Core, { error, scopes }: ChallengeReason = {}): Readonly<Record<string, string>> {
  const { registry, ports } = core;
  const metadata = registry.bearerTokens?.metadataUrl(ports.service);
  if (metadata === undefined) return keyChallenge(core);
  const parts = [
    realmOf(core),
    ...(error === undefined ? [] : [`error=${quoted(error)}`]),
    `resource_metadata=${quoted(metadata)}`,
    `scope=${quoted((scopes ?? registry.scopes.preset('read')).join(' '))}`,
  ];
  return { 'WWW-Authenticate': parts.join(', ') };
}
