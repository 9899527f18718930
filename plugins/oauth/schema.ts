// A grant as callers see it.
import { isoTime, z } from '../../core/index.ts';
import { leashResource } from '../../core/unstable.ts';

export const grantResource = z
  .object({
    grantId: z.string().describe('Prefix grt_.'),
    client: z
      .object({ id: z.string(), name: z.string(), host: z.string().nullable() })
      .describe('The program that acts; `host` serves its metadata document, null if nobody has checked its origin.'),
    member: z.string().describe('The uid of the member who agreed.'),
    scopes: z.array(z.string()),
    sandbox: z.boolean(),
    leash: leashResource.nullable().describe('What the agent may use up; null for no limit.'),
    createdAt: isoTime,
    lastUsedAt: isoTime.nullable(),
    expiresAt: isoTime.describe('When the grant ends unless its client uses it before.'),
  })
  .meta({ id: 'OAuthGrant' });
