// A tool as tools/list shows it: shorter than its definition, because models read the whole list before each task. Texts that all
// tools share are in the instructions of the server. Pure; called by core/mcp/tool-list.ts.
import { flatInput } from './flat.ts';
import { endpointArguments, formatArgument, type ToolDefinition, type ToolOperation, toolDefinition } from './mcp.ts';
import { plainSchema } from './plain-schema.ts';
import type { JsonSchema } from './schema-parts.ts';
import { firstSentence, shortSchema } from './short-schema.ts';

type Hints = Omit<ToolDefinition['annotations'], 'title'>;

/** A tool as lists show it. */
export interface ListedTool extends Pick<ToolDefinition, 'name' | 'title' | 'description' | 'inputSchema'> {
  readonly annotations: Partial<Hints>;
}

/**
 * The hints without the redundant ones: hints that equal the protocol's default, and for tools that only read, whether they
 * destroy or may be repeated. https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations
 */
function shortHints({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Hints): Partial<Hints> {
  return {
    ...(readOnlyHint ? { readOnlyHint } : {}),
    ...(readOnlyHint || destructiveHint ? {} : { destructiveHint }),
    ...(readOnlyHint || !idempotentHint ? {} : { idempotentHint }),
    ...(openWorldHint ? {} : { openWorldHint }),
  };
}

/** The arguments of a tool without references, and with the endpoint's own arguments. Their texts are in the instructions. */
export function plainInput(operation: ToolOperation): JsonSchema {
  const plain = plainSchema(flatInput(operation).defined);
  const endpointArgs = endpointArguments(operation);
  const properties = {
    ...(plain.properties as JsonSchema),
    ...(endpointArgs.idempotencyKey ? { idempotency_key: { type: 'string' } } : {}),
    ...(endpointArgs.dryRun ? { dry_run: { type: 'boolean' } } : {}),
    ...(endpointArgs.format ? { format: formatArgument(operation) } : {}),
  };
  return { ...plain, properties };
}

/** The name of the tool that returns the complete schemas. */
export const searchTool = 'search_tools';

/** The tool with these arguments: the result of `plainInput`, which a workspace may have narrowed. */
export function listedTool(operation: ToolOperation, input: JsonSchema, mayCut: boolean): ListedTool {
  const { name, title, annotations } = toolDefinition(operation);
  const { summary, description } = operation;
  const { schema, isPartial } = shortSchema(input, { mayCut });
  // The title is the summary.
  const line = description === undefined ? `${summary}.` : firstSentence(description, 24);
  return {
    name,
    title,
    description: isPartial ? `${line} All fields: ${searchTool}.` : line,
    inputSchema: schema,
    annotations: shortHints(annotations),
  };
}
