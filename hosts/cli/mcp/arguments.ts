// The options that choose the endpoint and limit its tools, for `postrider mcp` and `postrider mcp config`.
import type { CommandArgument } from '../../../core/index.ts';
import { defaultUrl, variables } from './target.ts';

export const endpointArguments = {
  url: {
    type: 'string',
    hint: 'URL',
    description: `Where the MCP endpoint is (default: ${variables.url}, else ${defaultUrl})`,
  },
  toolsets: {
    type: 'string',
    hint: 'AREAS',
    description: 'Only the tools of these areas, such as email,templates',
  },
  readonly: { type: 'boolean', description: 'Only tools that change nothing' },
  compact: { type: 'boolean', description: 'Shorter schemas, for clients that cannot process long ones' },
} as const satisfies Readonly<Record<string, CommandArgument>>;
