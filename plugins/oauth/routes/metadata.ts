// The metadata that clients read before they ask for authorisation: of the resource (RFC 9728) and of the server (RFC 8414).
import {
  definePublicRoute,
  type PublicRoute,
  type PublicRouteContext,
  type ServiceContext,
} from '../../../core/index.ts';
import { issuerOf, paths, resourceOf, urlOf } from '../addresses.ts';
import { hiddenWithoutUrl, preflight, programResponse } from './responses.ts';

/** The metadata of the MCP endpoint. `servers`: the issuers of its tokens. */
const resourceMetadata = ({ ports }: ServiceContext, servers: readonly string[]) => ({
  resource: resourceOf(ports.service),
  authorization_servers: servers,
  // The scopes that a client asks for by default: the scopes that change nothing.
  scopes_supported: ports.scopes.preset('read'),
  bearer_methods_supported: ['header'],
  resource_name: ports.service.name,
});

function serverMetadata({ ports }: ServiceContext) {
  const { service } = ports;
  return {
    issuer: issuerOf(service),
    authorization_endpoint: urlOf(service, paths.authorize),
    token_endpoint: urlOf(service, paths.token),
    revocation_endpoint: urlOf(service, paths.revoke),
    registration_endpoint: urlOf(service, paths.register),
    scopes_supported: ports.scopes.preset('full'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resourceOf(service)],
  };
}

/**
 * The same metadata at the URLs of OpenID Connect Discovery. For an issuer with a path, only these URLs are below the issuer's
 * own URL. Clients check the form of that document, so it has the fields for ID tokens, which this server never issues.
 */
const openidMetadata = (ctx: ServiceContext) => ({
  ...serverMetadata(ctx),
  jwks_uri: urlOf(ctx.ports.service, paths.keys),
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

const documentRoute = (
  path: `/${string}`,
  description: string,
  write: (ctx: PublicRouteContext) => object,
): PublicRoute[] => [
  definePublicRoute({
    http: `GET ${path}`,
    description,
    hidden: hiddenWithoutUrl,
    handler: async (ctx) => programResponse(200, write(ctx), { 'Cache-Control': 'public, max-age=300' }),
  }),
  preflight(path, 'GET'),
];

/** The documents of the resource. */
export const resourceRoutes = (servers: (ctx: ServiceContext) => readonly string[]): PublicRoute[] =>
  [paths.resourceMetadata, `${paths.resourceMetadata}${paths.tools}` as const].flatMap((path) =>
    documentRoute(path, 'Who issues tokens for the MCP endpoint.', (ctx) => resourceMetadata(ctx, servers(ctx))),
  );

/** The documents of our own server. */
export const serverRoutes: readonly PublicRoute[] = [
  ...documentRoute(paths.serverMetadata, 'The endpoints of the authorisation server.', serverMetadata),
  ...documentRoute(paths.openidMetadata, 'The same, where clients of OpenID Connect look.', openidMetadata),
  ...documentRoute(paths.keys, 'The keys of ID tokens: none, because the server issues none.', () => ({ keys: [] })),
];
