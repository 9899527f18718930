import { isoTime, z } from '../../core/index.ts';
import { leashResource } from '../../core/unstable.ts';

export const keyResource = z
  .object({
    id: z.string().describe('Prefix key_.'),
    name: z.string(),
    mode: z.enum(['live', 'test', 'mcp']),
    sandbox: z.boolean().describe('Whether everything that the key causes stays in the sandbox.'),
    prefix: z.string().describe('The mode prefix and the first 6 characters; the secret is never shown again.'),
    scopes: z.array(z.string()).describe('Frozen when the key was issued.'),
    preset: z.enum(['read', 'send', 'author', 'full']).nullable(),
    created_at: isoTime,
    last_used_at: isoTime.nullable(),
    expires_at: isoTime.nullable(),
    revoked_at: isoTime.nullable(),
    created_by: z.string().nullable(),
    members: z
      .array(z.string())
      .describe('The uids of the members in whose names the key may ask for approvals and decide.'),
    leash: leashResource
      .nullable()
      .describe('The limits of an agent with the key. Null: no limits. read_workspace shows the remaining amounts.'),
    grant_id: z.string().nullable().describe('The OAuth grant that the key represents; null for a key with a secret.'),
    client: z
      .object({ id: z.string(), name: z.string(), host: z.string().nullable() })
      .nullable()
      .describe('The OAuth client of the grant.'),
  })
  .meta({ id: 'ApiKey' });
