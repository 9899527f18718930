// The input schema of send_transactional for one workspace: the keys it can send, and a branch of variables for each.
import type { PrepareContext } from '../../core/index.ts';

interface ObjectSchema {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The published versions, which never change, say all that the schema depends on. */
export const sendToolMark = (context: PrepareContext): Promise<string> =>
  context.read((handle) => context.services.templates.sendableMark(handle));

/** `template` becomes an enum and `variables` a oneOf, titled by key; compact leaves the branches out. */
export async function narrowSendTool(
  context: PrepareContext,
  schema: Record<string, unknown>,
  { compact }: { readonly compact: boolean },
): Promise<Record<string, unknown>> {
  const templates = await context.read((handle) => context.services.templates.sendable(handle));
  const base = schema as unknown as ObjectSchema;
  const keys = templates.map(({ key }) => key);
  const { properties } = base;
  const branches = templates.map(({ key, variables }) => ({ title: key, ...variables }));
  return {
    ...schema,
    properties: {
      ...properties,
      to: { ...properties.to, format: 'email' },
      template: { ...properties.template, type: 'string', ...(keys.length === 0 ? {} : { enum: keys }) },
      variables: {
        description: 'The variables of the chosen template; its contract is the branch with its key as title.',
        type: 'object',
        ...(compact || branches.length === 0 ? {} : { oneOf: branches }),
      },
    },
    required: [...new Set([...base.required, 'to', 'template', 'variables'])],
  };
}
