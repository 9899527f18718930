// The input schema of send_transactional for one workspace: the keys that it can send, and a branch of variables for each key.
import type { PrepareContext } from '../../../core/index.ts';
import type { SendPublic } from '../schema.ts';

interface ObjectSchema {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

/** The notice about a send to a suppressed address. */
export function suppressedNotice(answer: unknown): string | undefined {
  const { status, to, whyNotSent = '', events = [] } = answer as Partial<SendPublic>;
  return status === 'suppressed' ? `Nothing reaches ${to}. ${events.at(-1)?.reason ?? whyNotSent}`.trim() : undefined;
}

/**
 * A marker that changes with the sendable templates: their published versions, which never change, and for a sandbox key the revisions of the
 * drafts, which it can also send.
 */
export const sendToolFingerprint = (context: PrepareContext): Promise<string> =>
  context.read(({ trx }) => context.services.templates.sendableFingerprint(trx, { drafts: context.sandbox }));

/** The contract without the keyword `writeOnly`, which is of no use to a model. Some clients refuse a tool whose schema has it. */
const withoutWriteOnly = <T extends object>(contract: T): T =>
  JSON.parse(
    JSON.stringify(contract, (name, value: unknown) => (name === 'writeOnly' && value === true ? undefined : value)),
  );

/** Makes `template` an enum and `variables` a oneOf with one branch for each key, titled by the key. With `compact`, there are no branches. */
export async function narrowSendTool(
  context: PrepareContext,
  schema: Record<string, unknown>,
  { compact }: { readonly compact: boolean },
): Promise<Record<string, unknown>> {
  const templates = await context.read(({ trx }) =>
    context.services.templates.sendable(trx, { drafts: context.sandbox }),
  );
  const base = schema as unknown as ObjectSchema;
  const keys = templates.map(({ key }) => key);
  const { properties } = base;
  // Without the examples, which would take a quarter of the tool list of a new workspace. read_template_schema returns them.
  const branches = templates.map(({ key, variables: { examples: _, ...contract } }) => ({
    title: key,
    ...withoutWriteOnly(contract),
  }));
  return {
    ...schema,
    properties: {
      ...properties,
      // Only REST and typed calls accept a name before the address. Models that see this format give just the address.
      to: { ...properties.to, format: 'email', description: 'One address, such as ada@example.com, without a name.' },
      template: { ...properties.template, type: 'string', ...(keys.length === 0 ? {} : { enum: keys }) },
      variables: {
        description:
          'The variables of the chosen template; its contract is the branch with its key as title. read_template_schema has examples.',
        type: 'object',
        ...(compact || branches.length === 0 ? {} : { oneOf: branches }),
      },
    },
    required: [...new Set([...base.required, 'to', 'template', 'variables'])],
  };
}
