// An operation in a search result.
import { z } from '../../core/index.ts';

const jsonSchema = z.record(z.string(), z.unknown());

export const foundOperation = z
  .object({
    id: z.string(),
    tool: z.string().nullable().describe('The name to call it by at the MCP endpoint. Null: REST only.'),
    method: z.string(),
    path: z.string(),
    summary: z.string(),
    description: z.string().nullable(),
    note: z.string().nullable().describe('How to call it with less context.'),
    scopes: z.array(z.string()).describe('A caller needs one of them. Empty: every caller may call it.'),
    missing_scopes: z
      .array(z.string())
      .describe('Empty if the caller may call it. Otherwise the call needs a step-up to one of these scopes.'),
    input_schema: jsonSchema
      .nullable()
      .describe('The arguments: path, query and body as one object. Null: left out, see the note of the answer.'),
    output_schema: jsonSchema.nullable().describe('The answer; only with schemas=full.'),
  })
  .meta({ id: 'FoundOperation' });

export const foundOperations = z
  .object({
    data: z.array(foundOperation).describe('The best first.'),
    note: z.string().nullable().describe('What was left out, and how to read it.'),
  })
  .meta({ id: 'FoundOperations' });
