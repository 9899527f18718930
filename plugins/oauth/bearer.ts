// Accepts the server's access tokens at the tool endpoint. Called by the core for each call with a token that is not an API key.
import type { BearerTokens } from '../../core/index.ts';
import { isOwnResource, paths, urlOf } from './addresses.ts';
import { findMember } from './members.ts';
import { endGrantOf } from './tokens/refresh.ts';
import { hashOfSecret } from './tokens/secrets.ts';
import { findToken } from './tokens/store.ts';

export const ownTokens: BearerTokens = {
  async resolve(ctx, token) {
    const hash = hashOfSecret(ctx, 'access', token);
    const found = hash === undefined ? undefined : await findToken(ctx, hash);
    if (found?.kind !== 'access' || found.revoked_at !== null || found.expires_at <= ctx.now) return undefined;
    if (!isOwnResource(ctx.ports.service, found.resource)) return undefined;
    if ((await findMember(ctx, found.workspace_id, found.member)) !== undefined) {
      const { key_id: keyId, token_scopes: narrowed } = found;
      return narrowed === null ? { keyId } : { keyId, scopes: JSON.parse(narrowed) as string[] };
    }
    await endGrantOf(ctx, found, 'member_left');
    return undefined;
  },
  metadataUrl: (service) =>
    service.publicUrl === undefined ? undefined : urlOf(service, `${paths.resourceMetadata}${paths.tools}`),
};
