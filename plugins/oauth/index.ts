// Agents sign in: OAuth for the MCP endpoint, by the service's own authorisation server or the program's.
export type { IssuedAccess, PublishedKeys, TokenClaims, TrustedIssuer } from './issuers/options.ts';
export type { OAuthPluginOptions } from './options.ts';
export { oauthPlugin } from './plugin.ts';
