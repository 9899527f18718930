import { defineOperation, normaliseAddress, parseAddress } from '../../../core/index.ts';
import { newSuppression, suppressionResource } from '../schema.ts';
import { presentSuppression } from '../store.ts';

export const createSuppression = defineOperation({
  id: 'suppressions.create',
  summary: 'Suppress an address',
  description:
    'From now on, mail to the address is accepted but not delivered. An existing suppression is changed; a complaint stays one. A sandbox key suppresses only sandbox sends.',
  http: 'POST /v1/suppressions',
  tool: 'create_suppression',
  searchWords: ['never', 'again', 'block', 'stop', 'complained', 'unsubscribe'],
  scopes: ['suppressions:write'],
  idempotency: 'replay',
  input: { body: newSuppression },
  output: suppressionResource,
  status: 201,
  audit: {
    action: 'suppression.create',
    target: ({ email }) => ({ kind: 'domain', id: parseAddress(email)?.domain ?? '' }),
  },
  fixture: async (kit) => ({ body: { email: `${kit.unique('suppressed')}@example.com` } }),

  async handler(ctx, { body }) {
    const row = await ctx.services.suppressions.add(ctx, {
      email: normaliseAddress(body.email),
      reason: body.reason,
      scope: body.scope,
      note: body.note,
      expiresAt: body.expires_at,
      mayWeaken: true,
    });
    ctx.note({ reason: row.reason });
    return presentSuppression(row);
  },
});
