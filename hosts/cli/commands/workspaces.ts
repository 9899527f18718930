// workspaces create, list: the workspaces that --workspace chooses from. The embedding program does everything else
// with them.
import type { NewWorkspace, Workspace } from '../../../core/index.ts';
import { defineCliCommand } from '../command.ts';

const shown = ({ id, name, plan, defaultFrom, createdAt, suspended }: Workspace) => ({
  id,
  name,
  plan: plan.name,
  default_from: defaultFrom,
  suspended,
  created_at: new Date(createdAt).toISOString(),
});

/** `Acme <hello@acme.example>` or an address alone. The service itself checks the address. */
function senderOf(text: string, name: string): NewWorkspace['defaultFrom'] {
  const [, display, address] = /^(.*?)\s*<([^<>]+)>$/s.exec(text.trim()) ?? [];
  if (address === undefined) return { email: text.trim(), name };
  return { email: address.trim(), name: display?.replace(/^"(.*)"$/s, '$1') || name };
}

export const createWorkspace = defineCliCommand({
  name: 'workspaces create',
  summary: 'Create a workspace for a tenant',
  examples: [
    [
      "postrider workspaces create --name Acme --from 'Acme <hello@acme.example>'",
      'creates it with its default sender',
    ],
  ],
  arguments: {
    name: { type: 'string', required: true, description: 'Its name' },
    from: {
      type: 'string',
      required: true,
      hint: 'ADDRESS',
      description: 'The default sender. Mail may be sent from its domain',
    },
    plan: {
      type: 'string',
      default: 'embedded',
      description: 'The plan: embedded, sandbox, hobby, pro, scale, enterprise, or one of your own',
    },
  },

  async run({ project, print }, { name, from, plan }) {
    const service = await project.ready();
    const made = await service.workspaces.create({
      name,
      plan,
      defaultFrom: senderOf(from, name),
    });
    print(`Created ${made.id}, ${made.name}.`);
    return shown(made);
  },
});

const maxListed = 1_000;

export const listWorkspaces = defineCliCommand({
  name: 'workspaces list',
  summary: 'List workspaces, oldest first',
  examples: [['postrider workspaces list', 'shows the ids for --workspace']],
  arguments: {},

  async run({ project, print, table, warn }) {
    const service = await project.ready();
    const found: Workspace[] = [];
    let page: readonly Workspace[];
    do {
      const after = found.at(-1)?.id;
      page = await service.workspaces.list({ limit: 500, ...(after === undefined ? {} : { after }) });
      found.push(...page);
    } while (page.length === 500 && found.length < maxListed);
    if (found.length >= maxListed) warn(`Only the first ${found.length} are listed. There may be more.`);
    if (found.length === 0)
      print('There are no workspaces yet. Create one: postrider workspaces create --name NAME --from ADDRESS');
    table(
      ['id', 'name', 'plan', 'sender', 'state'],
      found.map(({ id, name, plan, defaultFrom, suspended }) => [
        id,
        name,
        plan.name,
        defaultFrom.email,
        suspended ? 'suspended' : 'active',
      ]),
    );
    return { data: found.map(shown) };
  },
});
