// keys create, list, find, revoke: API keys of a workspace. A secret is printed once, on stdout and nowhere else.

import { CommandError } from '../../../core/command-line.ts';
import type { CommandContext } from '../../../core/index.ts';
import { type CliContext, defineCliCommand } from '../command.ts';
import { requireOperation } from '../context.ts';

const dayMs = 86_400_000;
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };

/** The expiry from `90d` or a time in ISO 8601. @throws CommandError */
function expiryOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : Date.now() + Number(count) * (units[unit ?? ''] ?? Number.NaN);
  if (Number.isNaN(time) || (count === undefined && !/^\d{4}-\d\d-\d\d/.test(text)))
    throw new CommandError(`--expires must be a time such as 90d, 12h or 2027-01-31T00:00:00Z, not ${text}.`, {
      exitCode: 2,
    });
  const latest = 8_640_000_000_000_000;
  if (time <= Date.now() || time > latest)
    throw new CommandError(
      `--expires ${text} is ${time > latest ? 'too far in the future' : 'in the past'}. Give a time such as 90d or 12h.`,
      { exitCode: 2 },
    );
  return new Date(time);
}

const sendingScopes = ['templates:send', 'messaging.transactional.send', 'social:posts:publish'];

/** The side of the workspace that a key can access, as text. On the plan sandbox there is no live side. */
function accessOf({ sandbox, scopes }: { sandbox: boolean; scopes: readonly string[] }, plan: string): string {
  if (sandbox || plan === 'sandbox') return 'sandbox: its mail is simulated';
  return scopes.some((scope) => sendingScopes.includes(scope))
    ? 'LIVE: its mail is delivered'
    : 'live: it works on live data and has no scope to send';
}

export const createKey = defineCliCommand({
  name: 'keys create',
  summary: 'Create an API key and print its secret, once',
  description:
    'Prints only the secret on stdout, so that you can pipe it. Without --mode live the key is a sandbox key: its mail stays in the service.',
  examples: [
    ['postrider keys create --name ci --preset send', 'creates a sandbox key that may send'],
    [
      'postrider keys create --name backend --preset send --mode live | vault write …',
      'creates a live key and puts it straight into a vault',
    ],
    [
      'postrider keys create --name monitor --scope sends:read --scope audit:read --expires 90d',
      'creates a key with few rights that expires',
    ],
    [
      'postrider keys create --name console --preset full --mode live --member u_bea',
      'creates a key that decides on approvals as u_bea',
    ],
  ],
  arguments: {
    name: { type: 'string', required: true, description: 'What the key is for' },
    preset: { type: 'string', choices: ['read', 'send', 'author', 'full'], description: 'A named set of scopes' },
    scope: { type: 'string', multiple: true, description: 'A scope, instead of a preset' },
    mode: {
      type: 'string',
      choices: ['test', 'live', 'mcp'],
      default: 'test',
      description: 'test: a sandbox key. live: its mail is delivered. mcp: for tools',
    },
    sandbox: { type: 'boolean', description: 'With --mode mcp: make it a sandbox key' },
    expires: { type: 'string', hint: 'WHEN', description: 'When it expires: 90d, 12h, or a time (default: never)' },
    member: {
      type: 'string',
      multiple: true,
      hint: 'UID',
      description: 'A member for whom it may act, such as in approvals; repeat it for more',
    },
    'created-by': { type: 'string', hint: 'WHO', description: 'Who created it, for the audit' },
  },

  async run({ project, print, warn, globals }, input) {
    const { name, preset, scope, mode, sandbox, member, 'created-by': createdBy } = input;
    if (name.trim() === '')
      throw new CommandError('--name must not be empty. Name the purpose of the key: --name ci', { exitCode: 2 });
    if ((preset === undefined) === (scope.length === 0))
      throw new CommandError('Give either --preset (read, send, author or full) or --scope (one or more).', {
        exitCode: 2,
      });
    if (sandbox && mode !== 'mcp')
      throw new CommandError(
        '--sandbox works with --mode mcp only. --mode test always makes a sandbox key, --mode live never does.',
        { exitCode: 2 },
      );
    const expiresAt = expiryOf(input.expires);
    const workspace = await project.workspace();
    const service = await project.ready();
    const key = await service.keys.create({
      workspaceId: workspace.id,
      name,
      mode,
      ...(mode === 'mcp' ? { sandbox } : {}),
      ...(preset === undefined ? { scopes: scope } : { preset }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(member.length === 0 ? {} : { members: member }),
      ...(createdBy === undefined ? {} : { createdBy }),
    });
    print(key.secret);
    if (!globals.json)
      warn(
        `Created ${key.id} in ${workspace.name} (${accessOf(key, workspace.plan.name)}). Services on ${project.database()} know it, no others. Store the secret now: it is not shown again.`,
      );
    return { ...key, workspace_id: workspace.id };
  },
});

/** One key, as the operation keys.list returns it. */
type Key = Awaited<ReturnType<typeof allKeys>>[number];

async function allKeys(context: CommandContext) {
  const { keys } = await context.calls();
  const allKeysFound = [];
  let cursor: string | undefined;
  do {
    const page = await keys.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    allKeysFound.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return allKeysFound;
}

function stateOf({ revoked_at: revoked, expires_at: expires }: Pick<Key, 'revoked_at' | 'expires_at'>): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`;
  if (expires === null) return 'active';
  return Date.parse(expires) <= Date.now() ? `expired ${expires.slice(0, 10)}` : `until ${expires.slice(0, 10)}`;
}

export const listKeys = defineCliCommand({
  name: 'keys list',
  summary: 'List the API keys of a workspace, never their secrets',
  examples: [['postrider keys list --json', 'shows all fields']],
  arguments: {},

  async run(context) {
    await requireOperation(context.project, 'keys.list', 'keys');
    const keys = await allKeys(context);
    if (keys.length === 0)
      context.print('There are no keys yet. Create one: postrider keys create --name NAME --preset send');
    context.table(
      ['id', 'name', 'begins with', 'kind', 'scopes', 'state', 'last used'],
      keys.map((key) => [
        key.id,
        key.name,
        key.prefix,
        key.sandbox ? 'sandbox' : 'live',
        key.preset ?? `${key.scopes.length}`,
        stateOf(key),
        key.last_used_at?.slice(0, 10) ?? 'never',
      ]),
    );
    return { data: keys };
  },
});

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export const findKey = defineCliCommand({
  name: 'keys find',
  summary: 'Find out which API key a secret belongs to',
  description:
    'Reads the secret from stdin, so that neither the list of processes nor the history of the shell shows it, and never prints it. Looks in all workspaces.',
  examples: [['postrider keys find < leaked.txt', 'shows the key, its workspace, and whether it is revoked']],
  arguments: {},

  async run({ project, print, stdin }) {
    const { findKeyBySecret } = await import('../../../core/unstable.ts');
    const service = await project.ready();
    const foundKey = await findKeyBySecret(service.core, (await stdin()).trim());
    if (foundKey === 'malformed')
      throw new CommandError(
        'Stdin does not contain a complete API key of this service. Give the secret alone, with all its characters.',
      );
    if (foundKey === undefined)
      throw new CommandError(
        `Services on ${project.database()} do not know this key. It may belong to another installation.`,
      );
    const { id, workspace_id: workspaceId, name, preset } = foundKey;
    const workspace = await service.workspaces.read(workspaceId);
    const scopes = JSON.parse(foundKey.scopes) as string[];
    const sandbox = foundKey.sandbox === 1;
    const [expiresAt, revokedAt] = [timeOf(foundKey.expires_at), timeOf(foundKey.revoked_at)];
    print(`${id}, ${name}`);
    print(`Workspace  ${workspaceId}, ${workspace.name}`);
    print(`Kind       ${accessOf({ sandbox, scopes }, workspace.plan.name)}`);
    print(`Scopes     ${scopes.join(', ')}${preset === null ? '' : ` (preset ${preset})`}`);
    print(`State      ${stateOf({ revoked_at: revokedAt, expires_at: expiresAt })}`);
    if (revokedAt === null) print(`To end it: postrider keys revoke ${id}`);
    return {
      id,
      workspace_id: workspaceId,
      name,
      sandbox,
      scopes,
      preset,
      expires_at: expiresAt,
      revoked_at: revokedAt,
    };
  },
});

/** The workspace of --workspace, or the workspace that owns the key. @throws CommandError */
async function workspaceWith(keyId: string, { project, globals }: CliContext): Promise<string> {
  if (globals.workspace !== undefined) return (await project.workspace()).id;
  const { findKeyById } = await import('../../../core/unstable.ts');
  const foundKey = await findKeyById((await project.ready()).core, keyId);
  if (foundKey === undefined)
    throw new CommandError(
      `There is no key ${keyId}. postrider keys list shows the ids, postrider keys find the id of a secret.`,
    );
  return foundKey.workspace_id;
}

export const revokeKey = defineCliCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key',
  description:
    'Takes effect at the next request, in every process. Finds the key in any workspace. A repeated call is harmless.',
  examples: [['postrider keys revoke key_01J…', 'revokes one key']],
  arguments: {
    id: { type: 'positional', required: true, hint: 'ID', description: 'Id of the key, from postrider keys list' },
  },

  async run(context, { id }) {
    const { project, print } = context;
    const workspaceId = await workspaceWith(id, context);
    await (await project.ready()).keys.revoke(workspaceId, id);
    print(`Revoked ${id}.`);
    return { id, revoked: true };
  },
});
