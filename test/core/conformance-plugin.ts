// Tools, resources and prompts with the names that the protocol's conformance suite looks for, as far as an operation
// can provide them. Used by mcp-conformance.test.ts.
import { z } from 'zod';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { defineErrors, errorDefinitions } from '../../core/contract/errors/errors.ts';

const errors = defineErrors({
  conformance_error: {
    status: 409,
    type: 'conflict_error',
    description: 'The suite wants to see an error.',
    message: () => 'This tool intentionally returns an error for testing.',
  },
});

const readOptions = { scopes: ['conformance:read'], idempotency: 'read', fixture: async () => ({}) } as const;

const simpleText = defineOperation({
  ...readOptions,
  id: 'conformance.text',
  summary: 'Answer a text',
  http: 'GET /v1/conformance/text',
  tool: 'test_simple_text',
  output: z.object({ text: z.string() }),
  handler: async () => ({ text: 'This is a simple text response for testing.' }),
});

const errorHandling = defineOperation({
  ...readOptions,
  id: 'conformance.error',
  summary: 'Answer an error',
  http: 'GET /v1/conformance/error',
  tool: 'test_error_handling',
  output: z.object({}),
  errors: ['conformance_error'],
  handler: async () => {
    throw errors.conformance_error();
  },
});

/** Keywords of JSON Schema 2020-12 that must be passed on as they are declared */
const wideSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const wide = defineOperation({
  ...readOptions,
  id: 'conformance.schema',
  summary: 'Take a schema of every word',
  http: 'GET /v1/conformance/schema',
  tool: { name: 'json_schema_2020_12_tool', workspaceSchema: async () => wideSchema },
  input: { query: z.object({ name: z.string().optional() }) },
  output: z.object({}),
  handler: async () => ({}),
});

const data = defineOperation({
  ...readOptions,
  id: 'conformance.data',
  summary: 'Read data',
  http: 'GET /v1/conformance/data/{id}',
  input: { params: z.object({ id: z.string() }) },
  output: z.object({ id: z.string(), templateTest: z.boolean(), data: z.string() }),
  handler: async (_ctx, { params }) => ({ id: params.id, templateTest: true, data: `Data for ID: ${params.id}` }),
});

/** The plugin that the suite tests. */
export const conformancePlugin = () =>
  definePlugin({
    id: 'conformance',
    scopes: [{ scope: 'conformance:read', description: 'Be tested.' }],
    operations: [simpleText, errorHandling, wide, data],
    errors: errorDefinitions(errors),
    resources: [
      {
        uri: 'test://static-text',
        name: 'static-text',
        title: 'Text',
        description: 'A text that never changes.',
        operation: 'conformance.text',
      },
      {
        uri: 'test://template/{id}/data',
        name: 'data',
        title: 'Data',
        description: 'Data of an id.',
        operation: 'conformance.data',
      },
    ],
    prompts: [
      {
        name: 'test_simple_prompt',
        title: 'Simple prompt',
        description: 'A prompt without arguments.',
        arguments: [],
        tools: [],
        text: () => 'This is a simple prompt for testing.',
      },
      {
        name: 'test_prompt_with_arguments',
        title: 'Prompt with arguments',
        description: 'A prompt with two arguments.',
        arguments: [
          { name: 'arg1', description: 'The first.', required: true },
          { name: 'arg2', description: 'The second.', required: true },
        ],
        tools: [],
        text: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      },
    ],
  });
