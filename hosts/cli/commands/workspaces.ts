// workspaces create, list, suspend, resume, delete: manages the workspaces that --workspace can name. The embedding program
// makes all other changes to workspaces.
import { CommandError } from '../../../core/command-line.ts';
import type { NewWorkspace, Workspace } from '../../../core/index.ts';
import { workspacesOf } from '../all-workspaces.ts';
import { type CliContext, defineCliCommand } from '../command.ts';

const toJson = ({ id, name, plan, defaultFrom, createdAt, suspended }: Workspace) => ({
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
    const created = await service.workspaces.create({
      name,
      plan,
      defaultFrom: senderOf(from, name),
    });
    print(`Created ${created.id}, ${created.name}.`);
    return toJson(created);
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
    const workspaces = await workspacesOf(service, maxListed);
    if (workspaces.length >= maxListed) warn(`Only the first ${workspaces.length} are listed. There may be more.`);
    if (workspaces.length === 0)
      print('There are no workspaces yet. Create one: postrider workspaces create --name NAME --from ADDRESS');
    table(
      ['id', 'name', 'plan', 'sender', 'state'],
      workspaces.map(({ id, name, plan, defaultFrom, suspended }) => [
        id,
        name,
        plan.name,
        defaultFrom.email,
        suspended ? 'suspended' : 'active',
      ]),
    );
    return { data: workspaces.map(toJson) };
  },
});

const selectionArguments = {
  id: { type: 'positional', multiple: true, hint: 'ID', description: 'Ids of workspaces' },
  all: { type: 'boolean', description: 'All workspaces' },
} as const;

/** Suspends or resumes the workspaces that are not in this state yet. */
async function setSuspended(
  { project, print, signal }: CliContext,
  { id, all }: { readonly id: readonly string[]; readonly all: boolean },
  suspend: boolean,
): Promise<{ readonly changed: readonly string[] }> {
  if (all === id.length > 0)
    throw new CommandError('Give ids of workspaces or --all, one of the two.', { exitCode: 2 });
  const service = await project.ready();
  // All workspaces are looked up before the first one is changed.
  const workspaces = all
    ? await workspacesOf(service)
    : await Promise.all(id.map((workspaceId) => service.workspaces.read(workspaceId)));
  const changed: string[] = [];
  for (const workspace of workspaces.filter(({ suspended }) => suspended !== suspend)) {
    signal.throwIfAborted();
    if (suspend) await service.workspaces.suspend(workspace.id);
    else await service.workspaces.resume(workspace.id);
    print(`${suspend ? 'Suspended' : 'Resumed'} ${workspace.id}, ${workspace.name}.`);
    changed.push(workspace.id);
  }
  if (changed.length === 0) print(`Nothing to do: ${suspend ? 'they are suspended already' : 'none is suspended'}.`);
  return { changed };
}

export const suspendWorkspaces = defineCliCommand({
  name: 'workspaces suspend',
  summary: 'Hold everything that workspaces send, and refuse their calls',
  description:
    'Takes effect at once, in every process. Jobs wait, and continue after postrider workspaces resume. Reads still work.',
  examples: [
    ['postrider workspaces suspend ws_01J…', 'suspends one'],
    ['postrider workspaces suspend --all', 'keeps a copy of a database from sending'],
  ],
  arguments: selectionArguments,
  run: (context, input) => setSuspended(context, input, true),
});

export const resumeWorkspaces = defineCliCommand({
  name: 'workspaces resume',
  summary: 'Resume suspended workspaces',
  examples: [['postrider workspaces resume ws_01J…', 'resumes one']],
  arguments: selectionArguments,
  run: (context, input) => setSuspended(context, input, false),
});

export const deleteWorkspace = defineCliCommand({
  name: 'workspaces delete',
  summary: 'Delete a workspace with everything that it has',
  description:
    'Suspends it, then deletes its rows of all composed plugins: keys, templates, contacts, sends, the audit too. Cannot be undone. After a failure, repeat it.',
  examples: [['postrider workspaces delete ws_01J… --yes', 'deletes one without asking']],
  arguments: {
    id: {
      type: 'positional',
      required: true,
      hint: 'ID',
      description: 'Id of the workspace, from postrider workspaces list',
    },
    yes: { type: 'boolean', description: 'Do not ask. Required without a terminal' },
  },

  async run({ project, print, interactive, confirm }, { id, yes }) {
    const service = await project.ready();
    const { name } = await service.workspaces.read(id);
    if (!yes && !interactive)
      throw new CommandError(`This deletes ${id}, ${name}, with everything that it has. Add --yes to do it.`, {
        exitCode: 2,
      });
    const isConfirmed =
      yes || (await confirm(`Delete ${id}, ${name}, with everything that it has? It cannot be undone.`, false));
    if (!isConfirmed) {
      print('Nothing was deleted.');
      return { id, deleted: false };
    }
    await service.workspaces.delete(id);
    print(`Deleted ${id}, ${name}.`);
    return { id, deleted: true };
  },
});
