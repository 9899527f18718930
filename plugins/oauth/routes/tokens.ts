// The endpoints for tokens: exchange and revocation.

import type { PublicRoute } from '../../../core/index.ts';
import { paths } from '../addresses.ts';
import { exchangeCode } from '../tokens/exchange-code.ts';
import { refreshTokens } from '../tokens/refresh.ts';
import { refuse } from '../tokens/result.ts';
import { revokeToken } from '../tokens/revoke-token.ts';
import { formRoute, preflight, programResponse, refusalResponse } from './responses.ts';

const exchanges = new Map([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshTokens],
]);

export const tokenRoutes: readonly PublicRoute[] = [
  formRoute(paths.token, 'Exchanges a code or a refresh token for tokens.', async (ctx, form) => {
    const exchange = exchanges.get(form.get('grant_type') ?? '');
    if (exchange === undefined)
      return refusalResponse(
        refuse('unsupported_grant_type', `The grant type must be ${[...exchanges.keys()].join(' or ')}.`),
      );
    const result = await exchange(ctx, form);
    return 'error' in result ? refusalResponse(result) : programResponse(200, result);
  }),
  preflight(paths.token, 'POST'),
  formRoute(paths.revoke, 'Ends a token, and with a refresh token its grant.', async (ctx, form) => {
    const refusal = await revokeToken(ctx, form);
    return refusal === undefined ? programResponse(200, {}) : refusalResponse(refusal);
  }),
  preflight(paths.revoke, 'POST'),
];
