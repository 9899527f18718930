// An operation as a tool: names, schemas, hints. Pure; the transport in core/mcp serves the result. Does not depend on a key or a
// workspace: core/mcp/tool-list.ts narrows tools for a workspace.
import type { z } from 'zod';
import type { Operation } from '../contract/declaration/operation.ts';
import type { ToolDeclaration } from '../contract/declaration/operation-spec.ts';
import { jsonType } from '../contract/declaration/representation.ts';
import { planOfTier } from '../pipeline/plans.ts';
import { flatInput } from './flat.ts';
import { jsonSchemaOf, rootSchema, standaloneSchema } from './json-schema.ts';
import { isRecord, type JsonSchema } from './schema-parts.ts';

/** A tool in full, as tools/list shows it with ?schemas=full. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Missing if the answer is not a JSON object, and in lists that leave it out. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** An operation that is a tool. */
export interface ToolOperation extends Operation {
  readonly tool: ToolDeclaration;
}

/** Arguments that the endpoint adds to the arguments of the operation, unless the operation has an argument of the same name. */
export interface EndpointArguments {
  readonly idempotencyKey: boolean;
  readonly dryRun: boolean;
  /** `format`: the media type of the answer. */
  readonly format: boolean;
}

/** The endpoint's own arguments that a tool takes. */
export function endpointArguments(operation: Operation): EndpointArguments {
  const operationArguments = flatInput(operation).arguments;
  return {
    idempotencyKey: operation.idempotency === 'replay' && !operationArguments.has('idempotency_key'),
    dryRun: operation.idempotency !== 'read' && !operationArguments.has('dry_run'),
    format:
      operation.representations.size > 0 &&
      operation.representationArgument === undefined &&
      !operationArguments.has('format'),
  };
}

function idempotencyKeySchema({ idempotencyKeyRequiredFromTier }: Operation): JsonSchema {
  const required =
    idempotencyKeyRequiredFromTier === undefined
      ? ''
      : ` Required from the plan ${planOfTier(idempotencyKeyRequiredFromTier)} up, not on embedded.`;
  return {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: `Makes retries safe: for 24 hours the same key with the same arguments gets the answer of the first call.${required}`,
  };
}

const dryRunSchema: JsonSchema = {
  type: 'boolean',
  default: false,
  description: 'True checks and prices the call and changes nothing.',
};

/** The endpoint's own argument for the representation of the answer. */
export function formatArgument({ representations }: Operation): JsonSchema {
  const described = [...representations].map(([type, { description }]) => `As ${type}: ${description}`);
  return {
    type: 'string',
    enum: [jsonType, ...representations.keys()],
    default: jsonType,
    description: ['The representation to add to the JSON.', ...described].join(' '),
  };
}

function inputSchema(operation: Operation): JsonSchema {
  const { schema } = flatInput(operation);
  const endpointArgs = endpointArguments(operation);
  const properties = {
    ...(schema.properties as JsonSchema),
    ...(endpointArgs.idempotencyKey ? { idempotency_key: idempotencyKeySchema(operation) } : {}),
    ...(endpointArgs.dryRun ? { dry_run: dryRunSchema } : {}),
    ...(endpointArgs.format ? { format: formatArgument(operation) } : {}),
  };
  return { ...schema, properties };
}

const rootChoices = ['oneOf', 'anyOf', 'allOf'] as const;

/**
 * The answer's schema. Its fields are required only without `error`: a failed call returns the envelope instead, and official
 * clients check the envelope against this schema, too.
 */
function outputSchema({ output, secondSuccess }: Operation): JsonSchema | undefined {
  if (secondSuccess !== undefined) return outputOfEither(output, secondSuccess.output);
  const schema = standaloneSchema(jsonSchemaOf(output, 'output'));
  const choice = rootChoices.find((name) => name in schema);
  if (choice !== undefined) {
    const branches = schema[choice] as unknown[];
    const objects = branches.every((branch) => isRecord(branch) && branch.type === 'object');
    return objects ? { type: 'object', description: 'One of several forms; see the OpenAPI document.' } : undefined;
  }
  if (schema.type !== 'object') return undefined;
  const { required, ...rest } = schema;
  if (!Array.isArray(required) || required.length === 0) return schema;
  return { ...rest, if: { required: ['error'] }, else: { required } };
}

/** A schema for both successes without oneOf at the root, because some clients do not support that. */
function outputOfEither(first: z.ZodType, second: z.ZodType): JsonSchema | undefined {
  const [firstSchema, secondSchema] = [jsonSchemaOf(first, 'output'), jsonSchemaOf(second, 'output')];
  if ([firstSchema, secondSchema].some((defined) => rootSchema(defined).type !== 'object')) return undefined;
  const merged = { anyOf: [firstSchema.schema, secondSchema.schema] };
  return standaloneSchema({
    schema: { type: 'object', if: { required: ['error'] }, else: merged },
    definitions: { ...firstSchema.definitions, ...secondSchema.definitions },
  });
}

function describe(operation: Operation): string {
  const { deprecated, summary, description } = operation;
  const text = description === undefined ? summary : `${summary.replace(/[.:]?$/, '.')} ${description}`;
  return deprecated === undefined ? text : `${text} Deprecated: ends on ${deprecated.sunset}, see ${deprecated.link}.`;
}

/** A tool's hints for clients. The OpenAPI document has them, too. */
export const toolHints = ({ tool, idempotency }: ToolOperation) => ({
  readOnlyHint: idempotency === 'read',
  destructiveHint: idempotency !== 'read' && tool.destructive === true,
  idempotentHint: idempotency === 'read' || idempotency === 'natural',
  openWorldHint: tool.openWorld === true,
});

const definitions = new WeakMap<Operation, ToolDefinition>();

/** The tool of an operation, made once. Shared: never change it in place. */
export function toolDefinition(operation: ToolOperation): ToolDefinition {
  const cached = definitions.get(operation);
  if (cached !== undefined) return cached;
  const { tool, summary } = operation;
  const output = outputSchema(operation);
  const definition: ToolDefinition = {
    name: tool.name,
    title: summary,
    description: describe(operation),
    inputSchema: inputSchema(operation),
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: { title: summary, ...toolHints(operation) },
  };
  definitions.set(operation, definition);
  return definition;
}

/** Whether an operation is a tool. */
export const isTool = (operation: Operation): operation is ToolOperation => operation.tool !== undefined;

/** The answer of tools/list?schemas=full for a key with every scope, before a workspace narrows it. Called by service.tools(). */
export function toolCatalogue(tools: ReadonlyMap<string, Operation>): { readonly tools: readonly ToolDefinition[] } {
  return { tools: [...tools.values()].filter(isTool).map(toolDefinition) };
}
