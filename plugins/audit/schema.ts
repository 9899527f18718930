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
      user: z
        .string()
        .optional()
        .describe('The user who installed the key (mcp), or the member who used a page (dashboard).'),
    }),
    action: z.string().meta({ examples: ['transactional.send'] }),
    target: z.object({ kind: z.string(), id: z.string() }),
    request_id: z.string(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    idempotency_key: z.string().optional(),
    sandbox: z.boolean().optional().describe('True if the call ran in the sandbox.'),
  })
  .meta({ id: 'AuditEntry' });

export const loggedRequest = z
  .object({
    id: z.string().describe('Prefix rql_.'),
    request_id: z.string().describe('The X-Request-Id of the response.'),
    ts: isoTime.describe('The time of the response.'),
    method: z.string(),
    route: z
      .string()
      .describe('The path as it is declared, without ids.')
      .meta({ examples: ['/v1/contacts/{contactId}'] }),
    status: z.int(),
    key_id: z.string(),
    ms: z.int().describe('The time from the request to the response, in milliseconds.'),
  })
  .meta({ id: 'LoggedRequest' });
