// The endpoint for dynamic client registration (RFC 7591).
import { definePublicRoute, type PublicRoute } from '../../../core/index.ts';
import { paths } from '../addresses.ts';
import { clientMetadata, isClientFault } from '../clients/client.ts';
import { register } from '../clients/registration.ts';
import { refuse } from '../tokens/result.ts';
import { hiddenWithoutUrl, inOAuthForm, preflight, programResponse, refusalResponse } from './responses.ts';

/** An address may register ten clients an hour. */
const limit = { name: 'oauth-register', perMinute: 10 / 60, burst: 10 };

/**
 * The route of a service whose tokens come from the program's own server: clients that try to register here get the issuer where
 * they can register.
 */
export const registeredElsewhere = (issuers: readonly string[]): PublicRoute =>
  definePublicRoute({
    http: `POST ${paths.register}`,
    description: 'Says which server registers clients.',
    hidden: hiddenWithoutUrl,
    maxBodyBytes: 16_384,
    handler: async () =>
      programResponse(404, {
        error: 'invalid_request',
        error_description: `This service registers no clients. Ask ${issuers.join(' or ')}: its metadata says how.`,
      }),
  });

export const registerRoutes = (schemes: ReadonlySet<string>): PublicRoute[] => [
  definePublicRoute({
    http: `POST ${paths.register}`,
    description: 'Registers a client that has no metadata document.',
    hidden: hiddenWithoutUrl,
    maxBodyBytes: 16_384,
    handler: (ctx, request) =>
      inOAuthForm(async () => {
        await ctx.limitAddress(limit);
        const parsed = clientMetadata.safeParse(await request.json());
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          const field = issue === undefined || issue.path.length === 0 ? 'The metadata' : issue.path.join('.');
          const isRedirect = issue?.path[0] === 'redirect_uris';
          return refusalResponse(
            refuse(
              isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
              `${field} is missing or not valid.`,
            ),
          );
        }
        const registration = await register(ctx, parsed.data, schemes);
        if (registration === 'full')
          return programResponse(
            503,
            {
              error: 'temporarily_unavailable',
              error_description: 'Too many clients are registered and unused. Use a client id metadata document.',
            },
            { 'Retry-After': '3600' },
          );
        if (isClientFault(registration)) return refusalResponse(refuse('invalid_redirect_uri', registration.fault));
        return programResponse(201, {
          client_id: registration.id,
          client_id_issued_at: Math.floor(ctx.now / 1_000),
          client_name: registration.name,
          redirect_uris: registration.redirectUris,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          // Clients are public, because a secret that anybody can get by registering proves nothing.
          token_endpoint_auth_method: 'none',
        });
      }),
  }),
  preflight(paths.register, 'POST'),
];
