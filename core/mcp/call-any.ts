// call_tool: calls a tool that the list leaves out. It is not an operation: the named tool runs as in a direct call, with the
// same scopes, idempotency and audit. Listed in the toolset `core`; called by tool-call.ts and tool-list.ts.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { searchTool } from '../projections/listed-tool.ts';
import { isRecord } from '../projections/schema-parts.ts';
import type { EndpointOptions } from './url-options.ts';

/** The name of the tool. No operation may have this name. */
export const callAnyTool = 'call_tool';

const title = 'Call any tool';

/** The definition in lists. Without readonly=1, its hints assume the worst of the tools that it can call. */
export function callAnyDefinition({ readOnly, wholeSchemas }: EndpointOptions): object {
  const hints = readOnly
    ? { readOnlyHint: true }
    : { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  return {
    name: callAnyTool,
    title,
    description: `Calls a tool that ${searchTool} found and that is not listed. The call is checked and recorded like a direct call of that tool.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool.' },
        arguments: { type: 'object', description: 'Its arguments, as its input_schema describes them.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    ...(wholeSchemas ? { outputSchema: { type: 'object' } } : {}),
    annotations: wholeSchemas ? { title, ...hints } : hints,
  };
}

/** The call that the arguments name. @throws validation_failed */
export function parseCallTool(value: unknown): { readonly name: string; readonly arguments: unknown } {
  const { name, arguments: args, ...unknownFields } = isRecord(value) ? value : {};
  const [unknownField] = Object.keys(unknownFields);
  if (typeof name !== 'string' || name === '')
    throw coreErrors.validation_failed({
      summary: `name: give the name of a tool. ${searchTool} finds tools by words.`,
    });
  if (unknownField !== undefined)
    throw coreErrors.validation_failed({
      summary: `${unknownField.slice(0, 100)}: put the arguments of ${name.slice(0, 100)} into arguments.`,
    });
  return { name, arguments: args };
}
