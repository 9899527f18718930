import { isoTime, z } from '../../core/index.ts';

export const auditEntry = z
  .object({
    id: z.string().describe('Prefix aud_.'),
    ts: isoTime,
    actor: z.object({
      kind: z.enum(['api', 'mcp', 'dashboard', 'service', 'system']),
      key_id: z.string().optional(),
      ip: z.string().optional(),
      client: z
        .string()
        .optional()
        .describe("The tool client's name and version, or the name of an in-process caller."),
      user: z.string().optional().describe('The user who installed the key (mcp).'),
    }),
    action: z.string().meta({ examples: ['transactional.send'] }),
    target: z.object({ kind: z.string(), id: z.string() }),
    request_id: z.string(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    idempotency_key: z.string().optional(),
    sandbox: z.boolean().optional().describe('True where the call worked in the sandbox.'),
  })
  .meta({ id: 'AuditEntry' });
