import { isoTime, z } from '../../core/index.ts';

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
  })
  .meta({ id: 'ApiKey' });
