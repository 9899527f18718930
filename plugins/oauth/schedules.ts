import type { ScheduleDeclaration } from '../../core/index.ts';
import { closeExpired } from './grants/store.ts';

const dayMs = 86_400_000;
/** The time for which a client stays registered without use. */
const clientMs = 90 * dayMs;

export const schedules: readonly ScheduleDeclaration[] = [
  {
    id: 'oauth.tokens',
    description: 'Removes codes and tokens of OAuth clients, a day after they expired.',
    everyMs: 3_600_000,
    async run({ now, purgeByWorkspace }) {
      await purgeByWorkspace('oauth_codes', 'expires_at', now - dayMs);
      await purgeByWorkspace('oauth_tokens', 'expires_at', now - dayMs);
    },
  },
  {
    id: 'oauth.grants',
    description: 'Marks OAuth grants that have expired, and removes them with their keys 90 days later.',
    everyMs: dayMs,
    async run({ now, keptSince, signal, eachWorkspace, purgeByWorkspace }) {
      for (let more = true; more && !signal.aborted; ) {
        more = false;
        await eachWorkspace(async ({ trx }) => {
          if (await closeExpired(trx, now)) more = true;
        });
      }
      const parts = { oauth_tokens: 'grant_id', api_keys: 'grant_id' };
      await purgeByWorkspace('oauth_grants', 'expires_at', keptSince('oauth_grants'), parts);
    },
  },
  {
    id: 'oauth.clients',
    description: 'Removes registered OAuth clients that nobody has used for 90 days.',
    everyMs: dayMs,
    async run({ now, purge }) {
      for (const used of [0, 1]) await purge('oauth_clients', 'last_used_at', now - clientMs, { used });
    },
  },
];
