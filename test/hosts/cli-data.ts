// Tests migrate, workspaces, keys, send and jobs on one database, through a config: their output and their effects. Run by
// the cli-data tests of each database.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from './cli-bench.ts';

/** The PostgreSQL schema in which the suite works. */
const schema = newSchema();

/** Configs for the two databases. */
export const configs = {
  SQLite: sqliteConfig(),
  PostgreSQL: sqliteConfig()
    .replace('adapters/storage/sqlite', 'adapters/storage/postgres')
    .replace('{ sqliteStorage }', '{ postgresStorage }')
    .replace(
      /sqliteStorage\(\{.*\}\)/,
      `postgresStorage(${JSON.stringify({ connectionString: postgresUrl, schema })})`,
    ),
};

type DatabaseName = keyof typeof configs;

/** Opens the same database, as the program's own process would. */
function openService(project: ProjectFolder, database: DatabaseName) {
  const mail = captureMail();
  const storage =
    database === 'SQLite'
      ? sqliteStorage({ filename: `${project.folder}/app.sqlite` })
      : postgresStorage({ connectionString: postgresUrl, schema });
  const keyring = localKeyring({ file: `${project.folder}/.postrider/keyring.json` });
  return { mail, service: createService({ plugins: standardPlugins, storage, keyring, mail }) };
}

/** Registers and runs the suite. */
export function dataSuite(database: DatabaseName): void {
  const config = configs[database];
  const test = suite<{ project: ProjectFolder }>(`the command line on ${database}`);

  test.before(async (context) => {
    context.project = await createProjectFolder({ 'postrider.config.mjs': config });
  });

  test.after(async ({ project }) => {
    await project.remove();
    if (database === 'PostgreSQL') await dropSchema(schema);
  });

  test('migrate lists the pending migrations and shows their SQL before anything runs', async ({ project }) => {
    const before = await project.json(['migrate', 'status']);
    assert.ok(before.pending > 3);
    assert.ok(before.migrations.every(({ applied }: { applied: boolean }) => !applied));
    const plan = await project.run(['migrate', '--dry-run']);
    assert.is(plan.code, 0);
    assert.match(
      plan.stdout,
      /^begin;\n(?:do \$\$ .*create schema .*\n)?(?:set local .*\n)?\n-- core\/0001-core\ncreate table if not exists /,
    );
    assert.match(plan.stdout, /;\n\ncommit;\n$/);
    assert.match(plan.stdout, /;\n\n-- templates\/0001-templates\n/);
    assert.match(plan.stderr, /^\d+ migrations pending\. Nothing was run\.\n$/);
    assert.is((await project.json(['migrate', '--dry-run'])).pending.length, before.pending);
    assert.is((await project.json(['migrate', 'status'])).pending, before.pending);
    const refusal = await project.run(['keys', 'list']);
    assert.equal([refusal.code, refusal.stdout], [1, '']);
    assert.match(refusal.stderr, /^error \d+ migrations are pending\. Run: postrider migrate\n$/);
  });

  test('migrate applies the migrations once and prints plain lines', async ({ project }) => {
    const { code, stdout, stderr } = await project.run(['migrate']);
    assert.equal([code, stderr], [0, '']);
    assert.match(stdout, /^Applied \d+ migrations\.\n {2}core\/0001-core\n/);
    assert.is((await project.run(['migrate'])).stdout, 'Nothing to apply: the schema is up to date.\n');
    const dry = await project.run(['migrate', '--dry-run']);
    assert.equal([dry.stdout, dry.stderr], ['', 'Nothing is pending.\n']);
    assert.match(
      (await project.run(['migrate', 'status'])).stdout,
      /core\/0001-core +applied +0\.1\.0 +\d{4}-\d\d-\d\d \d\d:\d\d\n(?:.*\n)*\nThe schema is up to date\.\n$/,
    );
  });

  test('workspaces are created, and the only workspace is chosen', async ({ project }) => {
    const withoutWorkspaces = await project.run(['keys', 'list']);
    assert.equal(
      [withoutWorkspaces.code, withoutWorkspaces.stderr.split('\n')[0]],
      [1, 'error There are no workspaces yet. Create one: postrider workspaces create --name NAME --from ADDRESS'],
    );
    const acme = await project.json([
      'workspaces',
      'create',
      '--name',
      'Acme',
      '--from',
      'The Acme <hello@acme.example>',
    ]);
    assert.equal(acme.default_from, { email: 'hello@acme.example', name: 'The Acme' });
    assert.match((await project.run(['keys', 'list'])).stdout, /^There are no keys yet\./);
    const otherWorkspace = await project.json([
      'workspaces',
      'create',
      '--name',
      'Other',
      '--from',
      'hello@other.example',
      '--plan',
      'pro',
    ]);
    assert.equal(
      (await project.json(['workspaces', 'list'])).data.map(({ id, plan }: { id: string; plan: string }) => [id, plan]),
      [
        [acme.id, 'embedded'],
        [otherWorkspace.id, 'pro'],
      ],
    );
    const several = await project.run(['keys', 'list']);
    assert.is(several.code, 1);
    assert.is(
      several.stderr,
      `error There is more than one workspace. Choose with --workspace ID:\n  ${acme.id}  Acme\n  ${otherWorkspace.id}  Other\n`,
    );
    const unknown = await project.run(['keys', 'list', '--workspace', 'ws_none']);
    assert.match(unknown.stderr, /^error There is no workspace ws_none\. These exist:\n {2}ws_/);
    const refusal = await project.run(['workspaces', 'create', '--name', 'Bad', '--from', 'nobody']);
    assert.equal([refusal.code, refusal.stdout], [1, '']);
  });

  test('all workspaces are suspended, and one is resumed', async ({ project }) => {
    const stateOf = async () =>
      ((await project.json(['workspaces', 'list'])).data as { suspended: boolean }[]).map(({ suspended }) => suspended);
    const suspension = await project.run(['workspaces', 'suspend', '--all']);
    assert.match(suspension.stdout, /^Suspended ws_\w+, Acme\.\nSuspended ws_\w+, Other\.\n$/);
    assert.equal(await stateOf(), [true, true]);
    const ids = [...suspension.stdout.matchAll(/ws_\w+/g)].map(([id]) => id);
    await project.json(['workspaces', 'resume', ids[0] ?? '']);
    assert.equal(await stateOf(), [false, true]);
    assert.equal(await project.json(['workspaces', 'resume', '--all']), { changed: ids.slice(1) });
    assert.is(
      (await project.run(['workspaces', 'suspend'])).stderr,
      'error Give ids of workspaces or --all, one of the two.\n',
    );
  });

  test("a new key's secret is printed alone on stdout and does not appear in lists, and the key can be revoked", async ({
    project,
  }) => {
    const [acme] = (await project.json(['workspaces', 'list'])).data as { id: string }[];
    const inAcme = ['--workspace', acme?.id ?? ''];
    const creation = await project.run(['keys', 'create', '--name', 'ci', '--preset', 'send', ...inAcme]);
    assert.is(creation.code, 0);
    assert.match(creation.stdout, /^postrider_test_[0-9A-Za-z]{49}\n$/);
    const secret = creation.stdout.trim();
    assert.match(
      creation.stderr,
      /^Created key_\S+ in Acme \(sandbox: its mail is simulated\)\. Services on the database of \S+ know it, no others\. Store the secret now: it is not shown again\.\n$/,
    );
    assert.not.ok(creation.stderr.includes(secret));

    const live = await project.json([
      'keys',
      'create',
      '--name',
      'live',
      '--scope',
      'sends:read',
      '--scope',
      'audit:read',
      '--mode',
      'live',
      '--expires',
      '90d',
      '--member',
      'u_ada',
      '--member',
      'u_bea',
      ...inAcme,
    ]);
    assert.equal(live.members, ['u_ada', 'u_bea']);
    assert.match(live.secret, /^postrider_live_/);
    assert.equal(live.scopes, ['sends:read', 'audit:read']);

    const { service } = openService(project, database);
    try {
      const ask = async (key: string) =>
        (
          await service.dispatch({
            method: 'GET',
            url: '/v1/sends',
            headers: { authorization: `Bearer ${key}` },
            body: undefined,
          })
        ).status;
      assert.equal([await ask(secret), await ask(live.secret)], [200, 200]);
      const listing = await project.run(['keys', 'list', ...inAcme]);
      assert.match(listing.stdout, /^ID +NAME +BEGINS WITH +KIND +SCOPES +STATE +LAST USED\n/);
      assert.match(listing.stdout, /\n\S+ +live +postrider_live_\S{6} +live +2 +until \d{4}-\d\d-\d\d +/);
      assert.not.ok(listing.stdout.includes(secret) || listing.stdout.includes(live.secret));
      assert.is((await project.json(['keys', 'list', ...inAcme])).data.length, 2);
      assert.equal(await project.json(['keys', 'revoke', live.id, ...inAcme]), { id: live.id, revoked: true });
      assert.equal([await ask(secret), await ask(live.secret)], [200, 401]);
    } finally {
      await service.stop();
    }
    assert.is((await project.run(['keys', 'revoke', live.id, ...inAcme])).code, 0);
    const unknown = await project.run(['keys', 'revoke', 'key_none', ...inAcme]);
    assert.is(unknown.code, 1);
    assert.match(unknown.stderr, /^error key_not_found: /);
  });

  test('keys create refuses conflicting options and invalid values', async ({ project }) => {
    const wrong: [words: string[], line: RegExp][] = [
      [['--name', 'a'], /Give either --preset \(read, send, author or full\) or --scope \(one or more\)\./],
      [['--name', 'a', '--preset', 'send', '--scope', 'sends:read'], /Give either --preset .* or --scope/],
      [['--name', 'a', '--preset', 'send', '--sandbox'], /--sandbox works with --mode mcp only/],
      [['--name', 'a', '--preset', 'send', '--expires', 'soon'], /--expires must be a time such as 90d, .* not soon\./],
    ];
    for (const [words, line] of wrong) {
      const { code, stdout, stderr } = await project.run(['keys', 'create', ...words]);
      assert.equal([code, stdout], [2, ''], words.join(' '));
      assert.match(stderr, line);
    }
  });

  test('send uses the sandbox by default, delivers with --live, and sends once per key', async ({ project }) => {
    const [acme] = (await project.json(['workspaces', 'list'])).data as { id: string }[];
    const inAcme = ['--workspace', acme?.id ?? ''];
    const { service, mail } = openService(project, database);
    try {
      const { templates, audit } = service.as(acme?.id ?? '');
      const variables = {
        type: 'object',
        required: ['name', 'total'],
        properties: {
          name: { type: 'string' },
          total: { type: 'number' },
          items: { type: 'array', items: { type: 'string' } },
        },
      };
      await templates.create({
        key: 'order',
        mode: 'html',
        subject: 'Order of {{name}}, {{total}}',
        body: '<p>{% for item in items %}{{item}} {% endfor %}</p>',
        variables,
      });
      await templates.publish({ key: 'order' });

      const words = ['send', 'order', '--to', 'ada@example.com', ...inAcme];
      const options = ['--var', 'name=42', '--var', 'total=42.5', '--var', 'items=["mug","blanket"]'];
      const sandbox = await project.run([...words, ...options]);
      assert.is(sandbox.code, 0, sandbox.stderr);
      assert.match(
        sandbox.stdout,
        /^Accepted snd_\S+, mail to ada@example\.com: Order of 42, 42\.5\nThis was the sandbox: nothing was delivered\. Add --live to send it\.\n/,
      );

      const vars = JSON.stringify({ name: 'Ada', total: 1 });
      const fromStdin = await project.json([...words, '--vars', '-', '--var', 'total=2', '--live'], { input: vars });
      assert.equal([fromStdin.subject, fromStdin.sandbox], ['Order of Ada, 2', false]);
      await project.write('order.json', vars);
      const onceWords = [...words, '--vars', 'order.json', '--live', '--idempotency-key', 'order-1'];
      const [first, second] = [await project.json(onceWords), await project.json(onceWords)];
      assert.is(first.id, second.id);

      const dry = await project.json([...words, ...options, '--live', '--dry-run']);
      assert.is(dry.dry_run, true);
      const bouncedSend = await project.json([...words, ...options, '--scenario', 'hard_bounced']);
      assert.is(bouncedSend.simulation.scenario, 'hard_bounced');

      await service.drain();
      assert.equal(
        mail
          .messages()
          .flatMap(({ sandbox, subject }) => (sandbox ? [] : [subject]))
          .sort(),
        ['Order of Ada, 1', 'Order of Ada, 2'],
      );
      const entries = await audit.list({ action: 'transactional.send' });
      assert.is(entries.data.length, 4);
      assert.ok(entries.data.every(({ actor }) => actor.kind === 'service' && actor.client === 'cli'));

      const wrong: [words: string[], code: number, line: RegExp][] = [
        [
          [...words, '--var', 'name=Ada', '--var', 'total=much'],
          1,
          /^error variables_invalid: .*variables\.total: .* \[req_\S+\]\n$/,
        ],
        [[...words, '--var', 'name'], 2, /^error --var name is not NAME=VALUE\./],
        [[...words, '--vars', 'missing.json'], 1, /^error missing\.json cannot be read: /],
        [
          [...words, '--vars', 'package-lock.json', '--live', '--scenario', 'opened'],
          2,
          /--scenario works in the sandbox only/,
        ],
      ];
      for (const [call, code, line] of wrong) {
        const answer = await project.run(call);
        assert.equal([answer.code, answer.stdout], [code, ''], call.join(' '));
        assert.match(answer.stderr, line);
      }
      for (const text of ['[1]', '{', '"x"']) {
        const answer = await project.run([...words, '--vars', '-'], { input: text });
        assert.is(answer.code, 1);
        assert.match(answer.stderr, /^error stdin is not (JSON|a JSON object)\./);
      }
    } finally {
      await service.stop();
    }
  });

  test('jobs lists failed jobs and runs them again', async ({ project }) => {
    const [acme] = (await project.json(['workspaces', 'list'])).data as { id: string }[];
    assert.is((await project.run(['jobs', 'list'])).stdout, 'There are no jobs in the state failed.\n');
    const { service } = openService(project, database);
    try {
      const { driver, prefix } = await service.core.database();
      const failedJobs = await service.jobs.list({ state: 'done', limit: 2 });
      const [one, two] = failedJobs.map(({ id }) => id);
      const fail = `update ${prefix}jobs set state = 'failed', reason = 'payload_invalid: it was made so' where id in ('${one}', '${two}')`;
      const queue = `update ${prefix}jobs set state = 'queued' where id = '${one}'`;
      await driver.transact((connection) => connection.query({ sql: queue, parameters: [] }));
      const queuedJobs = (await project.json(['jobs', 'list', '--state', 'queued'])).data as { id: string }[];
      assert.equal(
        queuedJobs.map(({ id }) => id),
        [one],
      );
      await driver.transact((connection) => connection.query({ sql: fail, parameters: [] }));
      const wait = `update ${prefix}jobs set state = 'waiting', attempt = 1, reason = 'Error: away' where id = '${one}'`;
      await driver.transact((connection) => connection.query({ sql: wait, parameters: [] }));
      const waiting = await project.run(['jobs', 'list', '--workspace', acme?.id ?? '']);
      assert.match(waiting.stdout, /^1 job waits after a failed attempt: postrider jobs list --state waiting$/m);
      await driver.transact((connection) => connection.query({ sql: fail, parameters: [] }));
      const listing = await project.run(['jobs', 'list', '--workspace', acme?.id ?? '']);
      assert.match(listing.stdout, /^ID +KIND +TRIES +DUE +WORKSPACE +REASON\n/);
      assert.match(
        listing.stdout,
        new RegExp(
          `\\n${one} +email\\.\\w+ +\\d+ +\\d{4}-\\d\\d-\\d\\d \\S+Z +${acme?.id} +payload_invalid: it was made so\\n`,
        ),
      );
      assert.is((await project.json(['jobs', 'list'])).data.length, 2);
      assert.is((await project.json(['jobs', 'list', '--workspace', 'ws_none'])).data.length, 0);
      assert.equal(await project.json(['jobs', 'retry', one ?? '']), { retried: [one], refused: [] });
      const retry = await project.run(['jobs', 'retry', one ?? '']);
      assert.is(retry.code, 1);
      assert.match(
        retry.stdout,
        /does not run again: there is no such job, or it has neither failed nor waits for another attempt/,
      );
      assert.equal(await project.json(['jobs', 'retry', '--all']), { retried: [two], refused: [] });
      assert.equal(await project.json(['jobs', 'retry', '--all']), { retried: [], refused: [] });
      assert.is((await project.run(['jobs', 'retry'])).code, 2);

      // A delivery that used up its attempts is final: the list says that it is final, and names the alternative.
      const end = `update ${prefix}jobs set kind = 'email.deliver', state = 'failed', reason = 'Error: away' where id = '${one}'`;
      await driver.transact((connection) => connection.query({ sql: end, parameters: [] }));
      const final = /^1 job is final and cannot run again \(email\.deliver\)\. .* send it again/m;
      assert.match((await project.run(['jobs', 'list'])).stdout, final);
      assert.equal(
        ((await project.json(['jobs', 'list'])).data as { id: string; final: boolean }[]).map((job) => [
          job.id,
          job.final,
        ]),
        [[one, true]],
      );
      for (const jobId of [one ?? '', '--all']) {
        const refusal = await project.run(['jobs', 'retry', jobId]);
        assert.is(refusal.code, 1);
        assert.match(refusal.stdout, final);
      }
      assert.is((await project.run(['jobs', 'list', '--limit', '0'])).code, 2);
    } finally {
      await service.stop();
    }
  });

  test('a failing migration leaves nothing behind and is reported', async ({ project }) => {
    const brokenConfig = `
import { defineMigration, definePlugin } from 'postrider';
const works = defineMigration({ id: '0001-works', changes: [{ create: 'works', columns: { id: 'id', nothing: 'text?' }, primaryKey: ['id'] }] });
const fails = defineMigration({ id: '0002-fails', changes: [{ alter: 'works', add: { nothing: 'text?' } }] });
const broken = definePlugin({ id: 'broken', tables: { works: { tenant: false } }, migrations: [works, fails] });
${config.replace('plugins: standardPlugins', 'plugins: [...standardPlugins, broken]')}`;
    await project.write('broken.config.mjs', brokenConfig);
    const { code, stderr, stdout } = await project.run(['migrate', '--config', 'broken.config.mjs', '--json']);
    assert.is(code, 1);
    assert.match(stderr, /^error The migration was refused\. Nothing ran and nothing was changed\. .*nothing/);
    assert.is(JSON.parse(stdout).error.code, 'failed');
    assert.is((await project.json(['migrate', 'status', '--config', 'broken.config.mjs'])).pending, 2);
  });

  test.run();
}
