// keys find and keys revoke without --workspace, and workspaces delete: on SQLite, through a config.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspacesOf } from '../../hosts/cli/all-workspaces.ts';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder; acme: string; other: string }>('keys and workspaces of the command line');

const create = async (project: ProjectFolder, name: string): Promise<string> =>
  (await project.json(['workspaces', 'create', '--name', name, '--from', 'hello@acme.example'])).id;

test.before(async (context) => {
  context.project = await createProjectFolder({ 'postrider.config.mjs': sqliteConfig() });
  await context.project.json(['migrate']);
  context.acme = await create(context.project, 'Acme');
  context.other = await create(context.project, 'Other');
});

test.after(async ({ project }) => {
  await project.remove();
});

test('keys find finds a key by its secret in all workspaces, never prints it, and revokes it by its id', async ({
  project,
  other,
}) => {
  const words = ['keys', 'create', '--name', 'backend', '--preset', 'send', '--mode', 'live', '--workspace', other];
  const { id, secret, scopes } = await project.json(words);
  const finding = await project.run(['keys', 'find'], { input: `${secret}\n` });
  assert.equal([finding.code, finding.stderr], [0, '']);
  assert.match(finding.stdout, new RegExp(`^${id}, backend\nWorkspace +${other}, Other\nKind +LIVE: `));
  assert.match(finding.stdout, /\nScopes +.*templates:send.* \(preset send\)\nState +active\n/);
  assert.match(finding.stdout, new RegExp(`\nTo end it: postrider keys revoke ${id}\n$`));
  assert.not.ok(finding.stdout.includes(secret.slice(-40)));

  assert.equal(await project.json(['keys', 'revoke', id]), { id, revoked: true });
  const { revoked_at: revokedAt, ...rest } = await project.json(['keys', 'find'], { input: secret });
  const fields = { id, workspace_id: other, name: 'backend', sandbox: false, scopes, preset: 'send', expires_at: null };
  assert.equal(rest, fields);
  assert.match(revokedAt, /^\d{4}-\d\d-\d\dT/);
  assert.match((await project.run(['keys', 'find'], { input: secret })).stdout, /\nState +revoked \d{4}-\d\d-\d\d\n$/);

  const [last] = secret.slice(-1);
  const mistypedSecret = secret.slice(0, -1) + (last === 'a' ? 'b' : 'a');
  for (const input of [mistypedSecret, '', 'hello', `${secret} ${secret}`]) {
    const { code, stdout, stderr } = await project.run(['keys', 'find'], { input });
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^error Stdin does not contain a complete API key of this service\./);
    assert.not.ok(stderr.includes(secret.slice(0, 40)));
  }
  const result = await project.run(['keys', 'find', secret]);
  assert.equal(
    [result.code, result.stderr],
    [2, 'error postrider keys find does not accept the argument that is an API key. See: postrider keys find --help\n'],
  );
  const unknown = await project.run(['keys', 'revoke', 'key_none']);
  assert.match(unknown.stderr, /^error There is no key key_none\./);
});

test('a key of another installation is not found', async ({ project, acme }) => {
  const { secret } = await project.json(['keys', 'create', '--name', 'ci', '--preset', 'send', '--workspace', acme]);
  const otherProject = await createProjectFolder({ 'postrider.config.mjs': sqliteConfig() });
  try {
    await otherProject.json(['migrate']);
    const { code, stderr } = await otherProject.run(['keys', 'find'], { input: secret });
    assert.is(code, 1);
    assert.match(stderr, /^error Services on .* do not know this key\. It may belong to another installation\.\n$/);
  } finally {
    await otherProject.remove();
  }
});

test('a limit reads only that many workspaces, in pages, and without a limit all are read', async () => {
  const all = Array.from({ length: 1_201 }, (_, at) => ({ id: String(at) }));
  const limits: number[] = [];
  const list = async ({ limit, after }: { limit: number; after?: string }) => {
    limits.push(limit);
    const from = after === undefined ? 0 : Number(after) + 1;
    return all.slice(from, from + limit);
  };
  const workspaces = { list } as never;
  assert.is((await workspacesOf({ workspaces }, 100)).length, 100);
  assert.is((await workspacesOf({ workspaces }, 600)).at(-1)?.id, '599');
  assert.equal(limits.splice(0), [100, 500, 100]);
  assert.is((await workspacesOf({ workspaces })).length, 1_201);
  assert.equal(limits, [500, 500, 500]);
});

test('workspaces delete deletes a workspace with --yes, and changes nothing without it', async ({
  project,
  acme,
  other,
}) => {
  const ids = async () => ((await project.json(['workspaces', 'list'])).data as { id: string }[]).map(({ id }) => id);
  const refusal = await project.run(['workspaces', 'delete', other]);
  assert.equal(
    [refusal.code, refusal.stdout, refusal.stderr],
    [2, '', `error This deletes ${other}, Other, with everything that it has. Add --yes to do it.\n`],
  );
  assert.equal(await ids(), [acme, other]);
  assert.is((await project.run(['workspaces', 'delete', other, '--yes'])).stdout, `Deleted ${other}, Other.\n`);
  assert.equal(await ids(), [acme]);
  const deletion = await project.run(['workspaces', 'delete', other, '--yes']);
  assert.equal([deletion.code, deletion.stdout], [1, '']);
  assert.match(deletion.stderr, /^error workspace_not_found: /);
});

test.run();
