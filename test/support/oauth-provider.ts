// The stored state of an official client that signs in: its registration, its tokens, and the address for the browser. For the tests of
// OAuth.
import type { OAuthClientProvider as ModernProvider } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';

const redirectUrl = 'http://127.0.0.1:53111/callback';

/** The state that a client keeps between its requests. */
export interface ClientMemory {
  client?: never;
  tokens?: never;
  verifier?: string;
  /** The last address to which it sent the browser. */
  authorizationUrl?: URL;
  discovery?: never;
}

/** A provider for both generations of the official MCP SDK; their interfaces differ only in their types. */
export type ClientProvider = OAuthClientProvider & ModernProvider;

/** Creates the provider of a client. Without the URL of a metadata document, the client registers. */
export function createProvider(memory: ClientMemory, documentUrl?: string): ClientProvider {
  return {
    redirectUrl,
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    clientMetadata: { client_name: 'Official', redirect_uris: [redirectUrl] },
    state: () => 'st_official',
    clientInformation: () => memory.client,
    saveClientInformation: (client: unknown) => {
      memory.client = client as never;
    },
    tokens: () => memory.tokens,
    saveTokens: (tokens: unknown) => {
      memory.tokens = tokens as never;
    },
    redirectToAuthorization: (url: URL) => {
      memory.authorizationUrl = url;
    },
    saveCodeVerifier: (verifier: string) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier ?? '',
    saveDiscoveryState: (state: unknown) => {
      memory.discovery = state as never;
    },
    discoveryState: () => memory.discovery,
  };
}
