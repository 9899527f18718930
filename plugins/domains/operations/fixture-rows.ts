// Domains that the fixtures of this plugin need. They are inserted directly, because no operation creates domains. Their names never
// exist in DNS (RFC 6761), so no test asks a server.
import type { FixtureKit } from '../../../core/index.ts';
import { domainRows } from '../tables.ts';

/** Inserts a domain into the workspace and returns its name. */
export const someDomain = (kit: FixtureKit, workspaceId: string): Promise<string> =>
  kit.write(async ({ trx, now, newId }) => {
    const { domain } = await domainRows.insert(trx, {
      id: newId('dom'),
      domain: `${kit
        .unique('mail')
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')}.example`,
      selector: 'post',
      public_key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
      ramp: null,
      verified_at: null,
      checked_at: null,
      last_check: null,
      created_at: now,
      updated_at: now,
    });
    return domain;
  }, workspaceId);

/** A domain that no workspace has. */
export const unknownDomain = 'nowhere.example';
