// Puts the plugin together from its options and its consent page. Called by plugin.ts, and by tests with a page of their own.
import { definePlugin, errorDefinitions } from '../../core/index.ts';
import { issuerOf } from './addresses.ts';
import type { ConsentPage } from './authorize/consent-request.ts';
import { ownTokens } from './bearer.ts';
import { createDocuments } from './clients/documents.ts';
import { consoleEntries } from './console/index.ts';
import { errors } from './errors.ts';
import { issuerTokens } from './issuers/bearer.ts';
import { checkIssuers } from './issuers/check.ts';
import { migration0001 } from './migrations/0001-oauth.ts';
import { operations } from './operations/index.ts';
import type { OAuthPluginOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { authorizeRoute } from './routes/authorize.ts';
import { resourceRoutes, serverRoutes } from './routes/metadata.ts';
import { registeredElsewhere, registerRoutes } from './routes/register.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { tables } from './tables.ts';

/** The plugin with this consent page. @throws TypeError for an issuer that cannot be trusted */
export function composeOAuth(
  { redirectSchemes = [], issuers = [] }: Omit<OAuthPluginOptions, 'consent'>,
  page: ConsentPage,
) {
  checkIssuers(issuers);
  const schemes = new Set(redirectSchemes.map((scheme) => scheme.toLowerCase().replace(/:(\/\/)?$/, '')));
  const rules = { schemes, documents: createDocuments(schemes) };
  return definePlugin({
    id: 'oauth',
    searchWords: {
      grant: [
        'app',
        'connected',
        'assistant',
        'agent',
        'bot',
        'chatbot',
        'claude',
        'chatgpt',
        'access',
        'authorised',
        'authorized',
        'permission',
        'login',
        'cursor',
        'data',
      ],
    },
    requires: ['keys'],
    scopes,
    operations,
    console: consoleEntries,
    publicRoutes: [
      ...resourceRoutes(({ ports }) =>
        issuers.length === 0 ? [issuerOf(ports.service)] : issuers.map(({ issuer }) => issuer),
      ),
      ...(issuers.length === 0
        ? [...serverRoutes, authorizeRoute(rules, page), ...tokenRoutes, ...registerRoutes(schemes)]
        : [registeredElsewhere(issuers.map(({ issuer }) => issuer))]),
      ...page.routes,
    ],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    schedules,
    retention: {
      oauth_grants: { rows: 'OAuth grants that have ended', since: 'their end, or their last use', default: '90 days' },
    },
    personalData,
    bearerTokens: issuers.length === 0 ? ownTokens : issuerTokens(issuers),
  });
}
