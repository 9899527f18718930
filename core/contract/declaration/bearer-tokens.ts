// The contract between the MCP endpoint and the plugin that issues bearer tokens other than API keys. A token represents a key:
// a row of the core's table of keys, which contains workspace, side and scopes.
import type { ServiceContext, ServiceInfo } from '../context/context.ts';
import type { Leash } from '../values/leash.ts';
import type { PublicRouteContext } from './public-route.ts';

/** The context in which a token is looked up. */
export interface BearerContext
  extends ServiceContext,
    Pick<PublicRouteContext, 'now' | 'read' | 'readUnscoped' | 'transact'> {
  /** The names of all tools, for the check of a leash. */
  readonly toolNames: Iterable<string>;
}

/** The key that a token represents, and the token's own rights if they differ from the rights of the key. */
export interface BearerKey {
  readonly keyId: string;
  /** (Default: the scopes of the key) */
  readonly scopes?: readonly string[];
  /** A checked leash, or null for no limits. (Default: the leash of the key) */
  readonly leash?: Leash | null;
}

/** Accepts tokens that are not API keys, at the MCP endpoint only. At most one composed plugin has it. */
export interface BearerTokens {
  /** The key that the token represents; undefined if the token is unknown, expired or meant for another service. */
  resolve(ctx: BearerContext, token: string): Promise<BearerKey | undefined>;
  /** The URL of the protected-resource metadata (RFC 9728) for clients without a token; undefined if there is none. */
  metadataUrl(service: ServiceInfo): string | undefined;
}
