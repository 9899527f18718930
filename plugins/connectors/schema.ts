// The schemas of connectors as the API and the program see them, and of the program's input. Responses never contain credentials.
import { isoTime, z } from '../../core/index.ts';
import { lineFault } from '../../core/unstable.ts';

export const connectorKind = z.enum(['mail', 'sms', 'social']);

export const connectorStatus = z
  .enum(['connected', 'expired', 'revoked'])
  .describe(
    'expired: the credentials have expired. revoked: the provider refuses them. In both states, the connector needs new credentials.',
  );
export type ConnectorStatus = z.output<typeof connectorStatus>;

export const connectorResource = z
  .object({
    id: z.string().describe('Prefix con_.'),
    kind: connectorKind,
    provider: z.string().describe('The name of the provider in the catalog.'),
    name: z.string(),
    status: connectorStatus,
    lastUsedAt: isoTime.nullable().describe('To the minute.'),
    createdAt: isoTime,
  })
  .meta({ id: 'Connector' });
export type ConnectorPublic = z.output<typeof connectorResource>;

const jsonSchema = z.record(z.string(), z.unknown());

export const providerResource = z
  .object({
    kind: connectorKind,
    provider: z.string(),
    name: z.string(),
    credentials: jsonSchema.describe('JSON Schema of the secret values, which only the embedding program provides.'),
    options: jsonSchema.describe('JSON Schema of the other values.'),
  })
  .meta({ id: 'ConnectorProvider' });
export type ProviderPublic = z.output<typeof providerResource>;

const name = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => lineFault(text) === undefined, 'The name must be one line without control characters.');

/** The messages that a connector delivers. A connector without uses delivers all messages that no other connector names. */
const uses = z.strictObject({
  categories: z
    .array(z.enum(['marketing', 'transactional', 'system']))
    .max(3)
    .default([]),
  templates: z.array(z.string().min(1).max(80)).max(100).default([]),
});
export type ConnectorUses = z.output<typeof uses>;

export const newConnector = z.strictObject({
  kind: connectorKind,
  provider: z.string(),
  name,
  credentials: z.unknown(),
  options: z.unknown().default({}),
  uses: uses.default({ categories: [], templates: [] }),
});
/** A connector to create. */
export type NewConnector = z.input<typeof newConnector>;

export const connectorChanges = z.strictObject({
  name: name.optional(),
  credentials: z.unknown().optional(),
  options: z.unknown().optional(),
  uses: uses.optional(),
});
/** Changes of a connector. Fields that are left out do not change. New credentials set the status to `connected`. */
export type ConnectorChanges = z.input<typeof connectorChanges>;
