// time-limit: 300
// doctor --lambda: the requirements of a function on AWS Lambda, and the settings that it refuses.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasPostgres, postgresUrl } from '../support/postgres-server.ts';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('doctor --lambda');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});
test.after.each(({ project }) => project.remove());

interface Finding {
  readonly state: string;
  readonly name: string;
  readonly text: string;
}

/** The findings about Lambda, each as `state text`. */
async function examine(project: ProjectFolder, words: readonly string[] = ['--lambda']): Promise<string> {
  const { stdout } = await project.run(['doctor', '--json', ...words]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.flatMap(({ state, name, text }) => (name === 'Lambda' ? [`${state} ${text}`] : [])).join('\n');
}

test('doctor refuses SQLite and a key file on Lambda with the reason, and names the setting', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig("publicUrl: 'http://127.0.0.1:3000',"));
  assert.is(await examine(project, []), '');
  const findings = await examine(project);
  assert.match(findings, /^bad SQLite keeps its database in a file, and a function's files are lost/m);
  assert.match(findings, /^bad The keyring reads .postrider\/keyring.json, but a function has no such file/m);
  assert.match(findings, /^bad publicUrl is http:\/\/127.0.0.1:3000, which other machines cannot reach/m);
  assert.match(findings, /^note no queue: .*settleMs \(2 s\)/m);
  assert.match(findings, /^note give the function a time limit of 30 s/m);
  assert.match(findings, /^note a request to a function has 6 MB: settings.maxBodyBytes allows 15 MiB/m);
});

test('doctor refuses a folder for asset files, and describes which files pass through the function with S3', async ({
  project,
}) => {
  const configWith = (file: string, assetsOption: string) =>
    sqliteConfig(`assets: ${assetsOption},`).replace(
      'import { standardPlugins',
      `import { ${assetsOption.split('(')[0]} } from 'postrider/adapters/assets/${file}';\nimport { standardPlugins`,
    );
  await project.write('postrider.config.mjs', configWith('file-system', "fileSystemAssets({ folder: 'assets' })"));
  assert.match(await examine(project), /^bad Assets are kept in \S+assets: no other instance .*Use s3Assets/m);
  await project.write('postrider.config.mjs', configWith('file-system', "fileSystemAssets({ folder: '/mnt/assets' })"));
  assert.not.match(await examine(project), /Assets are kept/);
  await project.write('postrider.config.mjs', configWith('s3', "s3Assets({ bucket: 'files', region: 'eu-west-1' })"));
  const findings = await examine(project);
  assert.not.match(findings, /Assets are kept/);
  assert.match(findings, /^note s3Assets: with the key of a role .*up to about 4\.5 MB/m);
});

test('doctor notes pending migrations, which the deployment runs', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig(''));
  const schemaOf = async (words: readonly string[]) => {
    const { stdout } = await project.run(['doctor', '--json', ...words]);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    // Reported once: no other check reads the tables.
    assert.is(findings.filter(({ text }) => /migrations? (is|are) pending/.test(text)).length, 1);
    return findings.find(({ name }) => name === 'Schema');
  };
  assert.is((await schemaOf([]))?.state, 'bad');
  const found = await schemaOf(['--lambda']);
  assert.is(found?.state, 'note');
  assert.match(found?.text ?? '', /^\d+ migrations are pending\. The deployment runs them: .*"migrate"/);
});

test('doctor names the config that it used, and the config that it did not use', async ({ project }) => {
  await project.write('postrider.config.mjs', sqliteConfig(''));
  await project.write('src/postrider.config.mjs', sqliteConfig(''));
  const { stdout } = await project.run(['doctor', '--lambda']);
  assert.match(stdout, /postrider\.config\.mjs, for development/);
  assert.match(
    stdout,
    /src\/postrider\.config\.mjs is not looked at: postrider\.config\.mjs comes first\. Name one with --config/,
  );
  const namedConfig = await project.run(['doctor', '--config', 'src/postrider.config.mjs']);
  assert.not.match(namedConfig.stdout, /is not looked at/);
});

if (await hasPostgres()) {
  const config = (pool: string, more: string) =>
    sqliteConfig(`${more} publicUrl: 'https://mail.acme.example', settings: { maxBodyBytes: 4_000_000 },`)
      .replace('sqliteStorage }', 'postgresStorage }')
      .replace('storage/sqlite', 'storage/postgres')
      .replace(
        "sqliteStorage({ filename: 'app.sqlite' })",
        `postgresStorage({ connectionString: '${postgresUrl}'${pool} })`,
      )
      .replace(
        'import { standardPlugins',
        "import { localKeyring } from 'postrider/adapters/keyring/local';\nimport { standardPlugins",
      );
  const keyring = "keyring: localKeyring({ keys: [{ id: 'a', secret: 'a secret for tests only, 32 bytes' }] }),";

  test('doctor finds nothing wrong with two connections and keys from the environment', async ({ project }) => {
    await project.write('postrider.config.mjs', config(', maxConnections: 2', keyring));
    const findings = await examine(project);
    assert.not.match(findings, /^bad/m);
    assert.match(findings, /^good postgres with up to 2 connections in every instance/m);
    assert.match(findings, /^good the keys of the keyring local come from the function's configuration/m);
    assert.match(findings, /^good links lead to https:\/\/mail.acme.example/m);
  });

  test('doctor advises fewer connections, and reports a queue that does not answer', async ({ project }) => {
    const methods =
      'send: async () => [], consume: async () => ({ stop: async () => undefined }), close: async () => undefined';
    const queue = `queue: { id: 'sqs', maxDelayMs: 0, ${methods}, check: async () => { throw new Error('no such queue'); } },`;
    await project.write('postrider.config.mjs', config('', `${keyring} ${queue}`));
    const findings = await examine(project);
    assert.match(findings, /^note postgres opens up to 10 connections in every instance.*maxConnections to 2/m);
    assert.match(findings, /^bad The queue sqs: no such queue/m);
  });
}

test.run();
