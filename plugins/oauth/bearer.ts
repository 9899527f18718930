// Accepts the server's access tokens at the MCP endpoint. Called by the core for each call with a token that is not an API key.
import type { BearerTokens } from '../../core/index.ts';
import { isOwnResource, paths, urlOf } from './addresses.ts';
import { findMember } from './members.ts';
import { endGrantOf } from './tokens/refresh.ts';
import { hashOfSecret } from './tokens/secrets.ts';
import { findToken } from './tokens/store.ts';

export const ownTokens: BearerTokens = {
  async resolve(ctx, token) {
    const hash = hashOfSecret(ctx, 'access', token);
    const accessToken = hash === undefined ? undefined : await findToken(ctx, hash);
    if (accessToken?.kind !== 'access' || accessToken.revoked_at !== null || accessToken.expires_at <= ctx.now)
      return undefined;
    if (!isOwnResource(ctx.ports.service, accessToken.resource)) return undefined;
    if ((await findMember(ctx, accessToken.workspace_id, accessToken.member)) !== undefined) {
      const { key_id: keyId, token_scopes: narrowed } = accessToken;
      return narrowed === null ? { keyId } : { keyId, scopes: JSON.parse(narrowed) as string[] };
    }
    await endGrantOf(ctx, accessToken, 'member_left');
    return undefined;
  },
  metadataUrl: (service) =>
    service.publicUrl === undefined ? undefined : urlOf(service, `${paths.resourceMetadata}${paths.tools}`),
};
