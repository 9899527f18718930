// keys create, list, revoke: API keys of a workspace. A secret is printed once, on stdout and nowhere else.

import type { CommandContext } from '../../../core/index.ts';
import { CommandError } from '../../../core/index.ts';
import { defineCliCommand } from '../command.ts';
import { requireOperation } from '../context.ts';

const dayMs = 86_400_000;
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };

/** `90d`, or a time in ISO 8601. @throws CommandError */
function expiryOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : Date.now() + Number(count) * (units[unit ?? ''] ?? Number.NaN);
  if (Number.isNaN(time) || (count === undefined && !/^\d{4}-\d\d-\d\d/.test(text)))
    throw new CommandError(`--expires ${text} is no time: give 90d, 12h or 2027-01-31T00:00:00Z.`, { exitCode: 2 });
  const latest = 8_640_000_000_000_000;
  if (time <= Date.now() || time > latest)
    throw new CommandError(
      `--expires ${text} is ${time > latest ? 'beyond all calendars' : 'in the past'}: give 90d, 12h or a time to come.`,
      { exitCode: 2 },
    );
  return new Date(time);
}

const sandboxWord = (sandbox: boolean): string =>
  sandbox ? 'sandbox: nothing it sends leaves' : 'LIVE: what it sends is delivered';

export const createKey = defineCliCommand({
  name: 'keys create',
  summary: 'Make an API key and print its secret, this once',
  description:
    'The secret alone goes to stdout, so that it can be piped; all else goes to stderr. Without --mode live it is a sandbox key: what it sends is simulated and never leaves.',
  examples: [
    ['postrider keys create --name ci --preset send', 'a sandbox key that sends'],
    [
      'postrider keys create --name backend --preset send --mode live | vault write …',
      'a live key, straight into a vault',
    ],
    [
      'postrider keys create --name monitor --scope sends:read --scope audit:read --expires 90d',
      'a narrow key that ends',
    ],
  ],
  arguments: {
    name: { type: 'string', required: true, description: 'What it is for, as lists show it' },
    preset: { type: 'string', choices: ['read', 'send', 'author', 'full'], description: 'Its scopes, by a name' },
    scope: { type: 'string', multiple: true, description: 'A scope, instead of a preset' },
    mode: {
      type: 'string',
      choices: ['test', 'live', 'mcp'],
      default: 'test',
      description: 'test is a sandbox key, live sends, mcp is for tools',
    },
    sandbox: { type: 'boolean', description: 'With --mode mcp: a sandbox key' },
    expires: { type: 'string', hint: 'WHEN', description: 'When it ends: 90d, 12h, or a time (default: never)' },
    'created-by': { type: 'string', hint: 'WHO', description: 'The person behind it, as the audit shows' },
  },

  async run({ project, print, warn, globals }, given) {
    const { name, preset, scope, mode, sandbox, 'created-by': createdBy } = given;
    if (name.trim() === '')
      throw new CommandError('--name is empty. Say what the key is for: --name ci', { exitCode: 2 });
    if ((preset === undefined) === (scope.length === 0))
      throw new CommandError('Give --preset read, send, author or full, or --scope (one or more); one of both.', {
        exitCode: 2,
      });
    if (sandbox && mode !== 'mcp')
      throw new CommandError(
        '--sandbox goes with --mode mcp. A key of --mode test is a sandbox key, one of --mode live never is.',
        { exitCode: 2 },
      );
    const expiresAt = expiryOf(given.expires);
    const workspace = await project.workspace();
    const service = await project.ready();
    const key = await service.keys.create({
      workspaceId: workspace.id,
      name,
      mode,
      ...(mode === 'mcp' ? { sandbox } : {}),
      ...(preset === undefined ? { scopes: scope } : { preset }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(createdBy === undefined ? {} : { createdBy }),
    });
    print(key.secret);
    if (!globals.json)
      warn(`Made ${key.id} in ${workspace.name} (${sandboxWord(key.sandbox)}). The secret is shown this once.`);
    return { ...key, workspace_id: workspace.id };
  },
});

/** One key, as the operation keys.list shows it. */
type Key = Awaited<ReturnType<typeof allKeys>>[number];

async function allKeys(context: CommandContext) {
  const { keys } = await context.calls();
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await keys.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

function stateOf({ revoked_at: revoked, expires_at: expires }: Key): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`;
  if (expires === null) return 'active';
  return Date.parse(expires) <= Date.now() ? `expired ${expires.slice(0, 10)}` : `until ${expires.slice(0, 10)}`;
}

export const listKeys = defineCliCommand({
  name: 'keys list',
  summary: 'List the API keys of a workspace, never their secrets',
  examples: [['postrider keys list --json', 'all that is known of each']],
  arguments: {},

  async run(context) {
    await requireOperation(context.project, 'keys.list', 'keys');
    const keys = await allKeys(context);
    if (keys.length === 0)
      context.print('There is no key yet. Make one: postrider keys create --name NAME --preset send');
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

export const revokeKey = defineCliCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key',
  description: 'Takes effect with the next request, in every process. Repeating it is harmless.',
  examples: [['postrider keys revoke key_01J…', 'ends a key']],
  arguments: { id: { type: 'positional', required: true, hint: 'ID', description: 'The key, as keys list shows it' } },

  async run({ project, print }, { id }) {
    const workspace = await project.workspace();
    await (await project.ready()).keys.revoke(workspace.id, id);
    print(`Revoked ${id}.`);
    return { id, revoked: true };
  },
});
