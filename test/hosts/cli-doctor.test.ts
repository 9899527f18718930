// time-limit: 420
// doctor: prints one line for each finding (good, bad, or note), and never takes longer than its limit.
// full-run: slow

import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { hasMysql, mysqlUrlOf } from '../support/mysql-server.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('doctor');

interface Finding {
  readonly state: string;
  readonly name: string;
  readonly text: string;
}

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

async function examine(project: ProjectFolder, env: Record<string, string> = {}, words: readonly string[] = []) {
  const { code, stdout, stderr } = await project.run(['doctor', '--json', ...words], { env });
  assert.is(stderr, '');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  assert.is(code, ok ? 0 : 1);
  const stateOf = (name: string) => findings.find((finding) => finding.name === name)?.state;
  const textOf = (name: string) => findings.find((finding) => finding.name === name)?.text ?? '';
  return { ok, findings, stateOf, textOf };
}

const withMail = (mail: string) =>
  sqliteConfig()
    .replace(
      "import { captureMail } from 'postrider/adapters/mail/capture';",
      "import { smtpMail } from 'postrider/adapters/mail/smtp';",
    )
    .replace('captureMail()', mail);

test('doctor reports no fault in a new project, and creates nothing', async ({ project }) => {
  const { ok, stateOf, textOf } = await examine(project);
  assert.equal([ok, stateOf('Node'), stateOf('Config'), stateOf('Database')], [true, 'good', 'note', undefined]);
  assert.match(textOf('Config'), /Run postrider init, or postrider dev/);
  await project.read('.postrider/dev.sqlite').then(
    () => assert.unreachable(),
    (error: NodeJS.ErrnoException) => assert.is(error.code, 'ENOENT'),
  );
});

test('doctor prints a line for each check, and the number of faults', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  const before = await project.run(['doctor']);
  assert.is(before.code, 1);
  assert.match(
    before.stdout,
    /^✓ Node {6}\d+\.\d+\.\d+\n✓ Config {4}postrider\.config\.mjs, for development\n✓ Keyring {3}opened/,
  );
  assert.match(
    before.stdout,
    /\n✓ Database {2}sqlite \d\S* answers\n✗ Schema {4}\d+ migrations are pending\. Run: postrider migrate\n✓ Mail {6}capture stores mail and does not send it\n/,
  );
  assert.match(before.stdout, /\n\n1 problem found\.\n$/);
  await project.json(['migrate']);
  const after = await project.run(['doctor']);
  assert.equal(
    [after.code, /\n✓ Schema {4}up to date\n/.test(after.stdout), /\nNo problems found\.\n$/.test(after.stdout)],
    [0, true, true],
  );
});

test('in production, a missing key is a fault, and so is mail that is not delivered', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  const { stateOf, textOf } = await examine(project, { NODE_ENV: 'production' });
  assert.equal([stateOf('Keyring'), stateOf('Database'), stateOf('Mail')], ['bad', 'note', 'bad']);
  assert.match(textOf('Keyring'), /Production needs its own key/);
  assert.match(textOf('Mail'), /this is production/);
  assert.match(textOf('Tracking'), /^off, because createService has no publicUrl: opens and clicks are not recorded, /);
  for (const refusalText of [
    'short links on the default domain, and QR codes of them, are refused',
    'confirmation mail',
  ])
    assert.ok(textOf('Tracking').includes(refusalText), refusalText);
  const key = randomBytes(32).toString('base64');
  await project.write(
    'postrider.config.mjs',
    `import { localKeyring } from 'postrider/adapters/keyring/local';\n${sqliteConfig(`keyring: localKeyring({ keys: [{ id: 'a', secret: '${key}' }] }),`)}`,
  );
  assert.is((await examine(project, { NODE_ENV: 'production' })).stateOf('Keyring'), 'good');
});

test('captured SMS are a fault in production', async ({ project }) => {
  const config = `import { captureSms } from 'postrider/adapters/sms/capture';\n${sqliteConfig('sms: captureSms(),')}`;
  await project.write('postrider.config.mjs', config);
  assert.is((await examine(project)).stateOf('SMS'), 'good');
  const { stateOf, textOf } = await examine(project, { NODE_ENV: 'production' });
  assert.equal([stateOf('SMS'), /this is production/.test(textOf('SMS'))], ['bad', true]);
});

test('a keyring that lacks a key of the database is a fault', async ({ project }) => {
  const configWith = (secret: string) =>
    `import { localKeyring } from 'postrider/adapters/keyring/local';\n${sqliteConfig(`keyring: localKeyring({ keys: [{ id: 'a', secret: '${secret}' }] }),`)}`;
  const secret = randomBytes(32).toString('base64');
  await project.write('postrider.config.mjs', configWith(secret));
  await project.json(['migrate']);
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: join(project.folder, 'app.sqlite') }),
    keyring: localKeyring({ keys: [{ id: 'a', secret }] }),
    mail: captureMail(),
  });
  await service.start();
  await service.stop();
  assert.is((await examine(project)).stateOf('Keyring'), 'good');
  await project.write('postrider.config.mjs', configWith(randomBytes(32).toString('base64')));
  const { stateOf, textOf } = await examine(project);
  assert.is(stateOf('Keyring'), 'bad');
  assert.match(textOf('Keyring'), /sealed with another secret under the id a/);
});

test('if the config does not load, that is the only fault', async ({ project }) => {
  await project.write('postrider.config.mjs', 'export default nobody;\n');
  const { ok, findings, textOf } = await examine(project);
  assert.equal([ok, findings.filter(({ state }) => state === 'bad').length], [false, 1]);
  assert.match(textOf('Config'), /postrider\.config\.mjs:1:16: ReferenceError: nobody is not defined/);
});

test('doctor connects to the mail server, and reports its refusal as a finding', async ({ project }) => {
  const smtp = await SmtpSink.start();
  try {
    await project.write(
      'postrider.config.mjs',
      withMail(`smtpMail({ host: '127.0.0.1', port: ${smtp.port}, tls: { rejectUnauthorized: false } })`),
    );
    const { stateOf, textOf } = await examine(project);
    assert.equal([stateOf('Mail'), /smtp responds, and accepts the credentials/.test(textOf('Mail'))], ['good', true]);
  } finally {
    await smtp.stop();
  }
  const { stateOf, textOf } = await examine(project);
  assert.equal([stateOf('Mail'), /^smtp: .*ECONNREFUSED/.test(textOf('Mail'))], ['bad', true]);
});

test('doctor describes a service without mail, and a service that chooses mail by workspace', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig().replace('mail: captureMail(),', ''));
  assert.match((await examine(project)).textOf('Mail'), /No mail adapter is configured/);
  await project.write('postrider.config.mjs', sqliteConfig().replace('captureMail()', '() => captureMail()'));
  const { stateOf, textOf } = await examine(project);
  assert.equal([stateOf('Mail'), /--workspace ID/.test(textOf('Mail'))], ['note', true]);
  await project.json(['migrate']);
  const { id } = await project.json(['workspaces', 'create', '--name', 'A', '--from', 'a@acme.example']);
  assert.is((await examine(project, {}, ['--workspace', id])).stateOf('Mail'), 'good');
});

test('doctor checks the connectors and the sending domains of a workspace', async ({ project }) => {
  const sink = await SmtpSink.start({ credentials: { user: 'post', pass: 'PLANTED-secret' } });
  const config = sqliteConfig()
    .replace('plugins: standardPlugins', 'plugins')
    .replace(
      'export default',
      `import { smtpConnector } from 'postrider/adapters/mail/smtp-connector';
import { connectorsPlugin, domainsPlugin } from 'postrider/plugins';
const zone = new Map();
const resolver = { resolveTxt: async (name) => zone.get(name) ?? [], resolveCname: async () => [] };
const plugins = standardPlugins.map((plugin) => {
  if (plugin.id === 'connectors') return connectorsPlugin({ providers: [smtpConnector({ tls: { rejectUnauthorized: false } })] });
  return plugin.id === 'domains' ? domainsPlugin({ resolver }) : plugin;
});
const service =`,
    );
  await project.write('postrider.config.mjs', `${config}\nexport default service;`);
  await project.json(['migrate']);
  const workspace = await project.json(['workspaces', 'create', '--name', 'A', '--from', 'a@acme.example']);
  await project.write(
    'postrider.config.mjs',
    `${config}
const made = await service.domains.create('${workspace.id}', { domain: 'acme.example', dkim: { selector: 'post' } });
for (const { name, value, purpose } of made.records) if (purpose !== 'dkim') zone.set(name, [value]);
const credentials = { user: 'post', pass: 'PLANTED-secret' };
const options = { host: '127.0.0.1', port: ${sink.port} };
const given = { kind: 'mail', provider: 'smtp', name: 'Own', credentials, options };
await service.connectors.create('${workspace.id}', given);
await service.connectors.create('${workspace.id}', {
  ...given, name: 'Wrong', credentials: { user: 'post', pass: 'PLANTED-wrong' }, uses: { categories: ['marketing'] },
});
export default service;`,
  );
  const { ok, stateOf, textOf, findings } = await examine(project, {}, ['--workspace', workspace.id]);
  await sink.stop();
  assert.equal([ok, stateOf('Mail'), stateOf('Domains')], [false, 'good', 'bad']);
  assert.match(textOf('Mail'), /^Own \(con_\w+\): smtp accepts the credentials\.$/);
  const wrong = findings.find(({ text }) => text.startsWith('Wrong'));
  assert.is(wrong?.state, 'bad');
  assert.match(wrong?.text ?? '', /smtp refuses the credentials: .*535.* Give it new ones/s);
  assert.not.match(JSON.stringify(findings), /PLANTED/);
  assert.match(
    textOf('Domains'),
    /^acme\.example: the DKIM record is missing\. Publish TXT post\._domainkey\.acme\.example v=DKIM1; /,
  );
});

test('doctor notes webhooks that production refuses, without the secrets of their URLs', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  await project.json(['migrate']);
  const workspace = await project.json(['workspaces', 'create', '--name', 'A', '--from', 'a@acme.example']);
  const service = createService({
    plugins: standardPlugins,
    storage: sqliteStorage({ filename: join(project.folder, 'app.sqlite') }),
    keyring: localKeyring({ file: join(project.folder, '.postrider/keyring.json') }),
    mail: captureMail(),
  });
  const { webhooks } = service.as(workspace.id);
  const { id } = await webhooks.create({ url: 'http://localhost:4000/hook?token=PLANTED', events: ['*'] });
  const disabledWebhook = await webhooks.create({ url: 'http://localhost:4001/hook', events: ['*'] });
  await webhooks.update({ id: disabledWebhook.id, enabled: false });
  await service.stop();
  const { ok, findings } = await examine(project);
  assert.is(ok, true);
  assert.equal(
    findings.filter(({ name }) => name === 'Webhooks').map(({ state, text }) => [state, text]),
    [
      [
        'note',
        `${id} (http://localhost:4000): production refuses its URL. localhost may be called only over https: begin the URL with https://.`,
      ],
    ],
  );
});

test('doctor notes due jobs if no process runs jobs', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  await project.json(['migrate']);
  const workspace = await project.json(['workspaces', 'create', '--name', 'A', '--from', 'a@acme.example']);
  const options = {
    plugins: standardPlugins,
    storage: () => sqliteStorage({ filename: join(project.folder, 'app.sqlite') }),
    keyring: localKeyring({ file: join(project.folder, '.postrider/keyring.json') }),
    mail: captureMail(),
  };
  const beginning = Date.now() - 120_000;
  const clock = { now: () => beginning };
  const service = createService({ ...options, storage: options.storage(), clock });
  const { webhooks } = service.as(workspace.id);
  const { id } = await webhooks.create({ url: 'http://localhost:61999/hook', events: ['*'] });
  await webhooks.test({ webhook_id: id, event: 'send.bounced' });
  await service.stop();
  const { ok, stateOf, textOf } = await examine(project);
  assert.equal([ok, stateOf('Jobs')], [true, 'note']);
  assert.is(
    textOf('Jobs'),
    `Jobs have been due since ${new Date(beginning).toISOString()}, and no process runs any. Start one: await service.start() in your program, or postrider dev`,
  );
  const working = createService({ ...options, storage: options.storage() });
  await working.drain();
  await working.stop();
  assert.is((await examine(project)).stateOf('Jobs'), undefined);
});

test('a database that never answers does not delay the other checks', async ({ project }) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  await project.write(
    'postrider.config.mjs',
    sqliteConfig()
      .replace('adapters/storage/sqlite', 'adapters/storage/postgres')
      .replace('{ sqliteStorage }', '{ postgresStorage }')
      .replace(
        /sqliteStorage\(\{.*\}\)/,
        `postgresStorage({ host: '127.0.0.1', port: ${port} }, { connectTimeoutMs: 600_000 })`,
      ),
  );
  try {
    const { stateOf, textOf } = await examine(project);
    assert.equal([stateOf('Database'), stateOf('Mail')], ['bad', 'good']);
    assert.match(textOf('Database'), /no response within 10 s/);
  } finally {
    silent.close();
  }
});

const servers = [
  { vendor: 'postgres', factory: 'postgresStorage', source: { connectionString: postgresUrl }, isThere: hasPostgres },
  { vendor: 'mysql', factory: 'mysqlStorage', source: { uri: mysqlUrlOf('information_schema') }, isThere: hasMysql },
] as const;

for (const { vendor, factory, source, isThere } of servers) {
  test(`doctor shows the version of ${vendor} and compares clocks`, async ({ project }) => {
    if (!(await isThere())) return;
    await project.write(
      'postrider.config.mjs',
      sqliteConfig()
        .replace('adapters/storage/sqlite', `adapters/storage/${vendor}`)
        .replace('{ sqliteStorage }', `{ ${factory} }`)
        .replace(/sqliteStorage\(\{.*\}\)/, `${factory}(${JSON.stringify(source)})`)
        .replace('mail:', "tablePrefix: 'never_migrated_',\n  mail:"),
    );
    const { stateOf, textOf } = await examine(project);
    assert.equal([stateOf('Database'), stateOf('Clock'), stateOf('Schema')], ['good', 'good', 'bad']);
    assert.match(textOf('Database'), new RegExp(`^${vendor} \\d+`));
  });
}

test('doctor finds a database that answers but accepts no row', async ({ project }) => {
  if (!(await hasPostgres())) return;
  const schema = newSchema();
  const client = new pg.Client(postgresUrl);
  await client.connect();
  try {
    await project.write(
      'postrider.config.mjs',
      sqliteConfig()
        .replace('adapters/storage/sqlite', 'adapters/storage/postgres')
        .replace('{ sqliteStorage }', '{ postgresStorage }')
        .replace(
          /sqliteStorage\(\{.*\}\)/,
          `postgresStorage(${JSON.stringify({ connectionString: postgresUrl, schema })})`,
        ),
    );
    await project.run(['migrate']);
    assert.is((await examine(project)).stateOf('Writing'), undefined);
    await client.query(`create function "${schema}".refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: no space left on device' using errcode = '53100'; end $$`);
    const { rows } = await client.query('select tablename from pg_tables where schemaname = $1', [schema]);
    for (const { tablename } of rows)
      await client.query(
        `create trigger refuse before insert on "${schema}"."${tablename}" for each row execute function "${schema}".refuse()`,
      );
    const { stateOf, textOf } = await examine(project);
    assert.equal([stateOf('Database'), stateOf('Schema'), stateOf('Writing')], ['good', 'good', 'bad']);
    assert.match(textOf('Writing'), /^The database does not accept rows: ./);
  } finally {
    await client.end();
    await dropSchema(schema);
  }
});

test('doctor shows the store of the rate limits, and reports without its password if it does not answer', async ({
  project,
}) => {
  await project.write('postrider.config.mjs', sqliteConfig());
  const before = await examine(project);
  assert.equal([before.stateOf('Limits'), before.textOf('Limits')], ['good', 'memory: each process counts for itself']);
  const config = sqliteConfig()
    .replace('import ', "import { redisLimits } from 'postrider/adapters/limits/redis';\nimport ")
    .replace('mail:', "limits: redisLimits({ url: 'redis://default:s3cret@127.0.0.1:1' }),\n  mail:");
  assert.match(config, /limits: redisLimits/);
  await project.write('postrider.config.mjs', config);
  const { stateOf, textOf } = await examine(project);
  assert.is(stateOf('Limits'), 'bad');
  assert.match(textOf('Limits'), /^Redis, .* cannot be reached\. Until then requests pass unlimited\.$/);
  assert.not.match(textOf('Limits'), /s3cret/);
});

test.run();
