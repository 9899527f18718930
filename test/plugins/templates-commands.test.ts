// time-limit: 600
// templates pull, push, preview and types, run as a user runs them: with the real command line in a project folder.
// full-run: slow
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, sqliteConfig } from '../hosts/cli-bench.ts';
import { typePaths } from '../support/compiled.ts';
import { typeCompiler } from '../support/type-compiler.ts';

const test = suite<{ project: ProjectFolder }>('templates commands');
const run = promisify(execFile);

const mail = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column>\n<mj-text>${text}</mj-text>\n</mj-column></mj-section></mj-body></mjml>\n`;

const assertMissing = (reading: Promise<string>): Promise<void> =>
  reading.then(
    () => assert.unreachable('the file is still there'),
    () => undefined,
  );

test.before(async (context) => {
  const project = await createProjectFolder({ 'postrider.config.mjs': sqliteConfig() });
  await project.json(['migrate']);
  await project.json(['workspaces', 'create', '--name', 'Acme', '--from', 'hello@acme.example']);
  context.project = project;
});

test.after(({ project }) => project.remove());

test('pull writes every template, keeps files that were changed locally, and replaces them on request', async ({
  project,
}) => {
  const first = await project.json(['templates', 'pull']);
  assert.ok(first.templates.length >= 7, 'the starters are written');
  assert.ok(first.templates.every(({ result }: { result: string }) => result === 'written'));
  const receipt = JSON.parse(await project.read('templates/receipt/template.json'));
  assert.equal(receipt.variables.required.includes('total'), true);
  assert.match(await project.read('templates/receipt/body.mjml'), /^\s*<mjml/);
  const secondPull = await project.json(['templates', 'pull']);
  assert.ok(secondPull.templates.every(({ result }: { result: string }) => result === 'unchanged'));
  await project.write('templates/receipt/body.mjml', mail('Mine {{name}} {{order}} {{total}}'));
  const pullWithChanges = await project.run(['templates', 'pull']);
  assert.is(pullWithChanges.code, 1);
  assert.match(
    pullWithChanges.stderr,
    /The files of receipt differ from the workspace and were kept\. Replace them with --overwrite/,
  );
  assert.match(await project.read('templates/receipt/body.mjml'), /Mine/);
  await project.json(['templates', 'pull', 'receipt', '--overwrite']);
  assert.not.match(await project.read('templates/receipt/body.mjml'), /Mine/);
});

test('push updates drafts, and publishes them on request', async ({ project }) => {
  await project.write('templates/hello/template.json', JSON.stringify({ subject: 'Hello {{name}}' }));
  await project.write('templates/hello/body.mjml', mail('Hello {{name}}'));
  const dry = await project.json(['templates', 'push', '--dry-run']);
  const entryOf = (pushed: { templates: { key: string }[] }) => pushed.templates.find(({ key }) => key === 'hello');
  assert.equal(entryOf(dry), { key: 'hello', draft: 'created', changed: [] });
  assert.equal(entryOf(await project.json(['templates', 'push'])), { key: 'hello', draft: 'created', changed: [] });
  assert.equal(entryOf(await project.json(['templates', 'push'])), { key: 'hello', draft: 'unchanged', changed: [] });
  const firstPublish = await project.json(['templates', 'push', 'hello', '--publish']);
  assert.equal(firstPublish.templates, [{ key: 'hello', draft: 'unchanged', changed: [], published: 1 }]);
  await project.write('templates/hello/body.mjml', mail('Good day, {{name}}'));
  await project.write('templates/hello/text.txt', 'Good day, {{name}}.\n');
  const secondPublish = await project.json(['templates', 'push', '--publish']);
  assert.equal(entryOf(secondPublish), { key: 'hello', draft: 'updated', changed: ['body', 'text'], published: 2 });
  const send = await project.json(['send', 'hello', '--to', 'ada@example.com', '--var', 'name=Ada']);
  assert.equal([send.templateVersion, send.subject], [2, 'Hello Ada']);
});

test('push reports the file and line of an error, and pushes the other templates', async ({ project }) => {
  await project.write('templates/broken/template.json', '{ "subject": "Broken" }');
  await project.write('templates/broken/body.mjml', mail('{{ name'));
  await project.write('templates/odd/template.json', '{ "colour": "red" }');
  await project.write('templates/hello/text.txt', 'Hello again, {{name}}.\n');
  const failedPush = await project.run(['templates', 'push', '--publish']);
  assert.is(failedPush.code, 1);
  assert.match(failedPush.stderr, /^templates\/broken\/body\.mjml:2: /m);
  assert.match(failedPush.stderr, /^templates\/odd\/template\.json: /m);
  assert.match(failedPush.stderr, /1 template could not be pushed: odd\. Pushed, but not published: broken\.\n$/);
  // The draft is stored although it cannot be published.
  assert.match(failedPush.stdout, /broken +created +failed\n/);
  assert.is((await project.json(['templates', 'push', 'broken'])).templates[0].draft, 'unchanged');
  assert.match(failedPush.stdout, /hello +updated +text +version 3/);
  await project.run(['templates', 'push', 'nowhere']).then(({ code, stderr }) => {
    assert.is(code, 1);
    assert.match(stderr, /has no template nowhere/);
  });
  for (const key of ['broken', 'odd']) {
    await project.write(`templates/${key}/template.json`, '{ "subject": "Fine" }');
    await project.write(`templates/${key}/body.mjml`, mail('Fine'));
  }
});

test('--dry-run reports templates that could not be published, and stores nothing', async ({ project }) => {
  await project.write('templates/trial/template.json', '{ "subject": "Trial", "previewText": null }');
  for (const [body, fault] of [
    [mail('{{ name'), /^templates\/trial\/body\.mjml:2: /m],
    [mail('Hi').replaceAll('mj-text', 'mj-txt'), /^templates\/trial\/body\.mjml:2: MJML, <mj-txt>: Element/m],
  ] as const) {
    await project.write('templates/trial/body.mjml', body);
    const { code, stdout, stderr } = await project.run(['templates', 'push', 'trial', '--dry-run']);
    assert.is(code, 1);
    assert.match(stdout, /trial +created +would fail\n/);
    assert.match(stderr, fault);
    assert.match(stderr, /\nerror 1 template could not be published: trial\.\n$/);
  }
  await project.write('templates/trial/body.mjml', mail('Hi'));
  const fine = await project.json(['templates', 'push', 'trial', '--dry-run']);
  assert.equal(fine.templates, [{ key: 'trial', draft: 'created', changed: [] }]);
  assert.is((await project.json(['templates', 'push', 'trial'])).templates[0].draft, 'created');
});

test('--dry-run and --publish report a contract that would break callers, and name the option --allow-breaking', async ({
  project,
}) => {
  await project.write('templates/wide/template.json', '{ "subject": "Wide" }');
  await project.write('templates/wide/body.mjml', mail('Hi {{name}}'));
  assert.is((await project.json(['templates', 'push', 'wide', '--publish'])).templates[0].published, 1);
  await project.write('templates/wide/body.mjml', mail('Hi {{name}}, VAT {{vat}}'));
  for (const options of [['--dry-run'], ['--publish', '--dry-run'], ['--publish']]) {
    const { code, stderr } = await project.run(['templates', 'push', 'wide', ...options]);
    assert.is(code, 1, options.join(' '));
    // The breaking contract is reported even if nobody has sent the template.
    assert.match(stderr, /wide: Publishing would break callers: vat: It is required now\./);
    assert.match(stderr, /Pass --allow-breaking to publish anyway\./);
  }
  const pushCommand = ['templates', 'push', 'wide', '--publish', '--allow-breaking'];
  assert.is((await project.run([...pushCommand, '--dry-run'])).code, 0);
  assert.is((await project.json(pushCommand)).templates[0].published, 2);
});

test('layouts and languages are pushed to the workspace and pulled unchanged', async ({ project }) => {
  const around =
    '<mjml><mj-body><mj-section><mj-column><mj-text>{{shop}}</mj-text></mj-column></mj-section>{% content %}</mj-body></mjml>';
  await project.write('templates/frame/template.json', '{ "kind": "layout", "name": "Frame" }');
  await project.write('templates/frame/body.mjml', around);
  const news = { name: 'News', subject: 'News', layout: 'frame', locale: 'en', locales: { de: { subject: 'Neues' } } };
  const section = (text: string) => `<mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section>\n`;
  await project.write('templates/news/template.json', JSON.stringify(news));
  await project.write('templates/news/body.mjml', section('Hello {{name}}'));
  await project.write('templates/news/de/body.mjml', section('Hallo {{name}}'));
  await project.write('templates/news/fr/text.txt', 'Bonjour {{name}}\n');
  const firstPush = await project.json(['templates', 'push', 'news', 'frame', '--publish']);
  assert.equal(
    firstPush.templates.map(({ key, published }: { key: string; published: number }) => [key, published]),
    [
      ['frame', 1],
      ['news', 1],
    ],
  );
  const before = await Promise.all(
    ['template.json', 'de/body.mjml', 'fr/text.txt'].map((path) => project.read(`templates/news/${path}`)),
  );
  const pullResult = await project.json(['templates', 'pull', 'news', 'frame', '--overwrite']);
  assert.ok(pullResult.templates.every(({ result }: { result: string }) => result === 'unchanged'));
  await project.json(['templates', 'pull', 'news', '--dir', 'elsewhere']);
  assert.equal(
    await Promise.all(['de/body.mjml', 'fr/text.txt'].map((path) => project.read(`elsewhere/news/${path}`))),
    before.slice(1),
  );
  const send = ['send', 'news', '--to', 'ada@example.com', '--var', 'name=Ada', '--var', 'shop=Acme', '--locale'];
  assert.is((await project.json([...send, 'de-AT'])).subject, 'Neues');
  assert.is((await project.json([...send, 'ja'])).subject, 'News');
  await project.write('templates/news/template.json', JSON.stringify({ ...news, locales: {} }));
  const missing = await project.json(['templates', 'push', 'news']);
  assert.equal(missing.templates[0].changed, ['locales']);
  await project.write('templates/news/es/text.txt', 'Hola {{name}}');
  await project.json(['templates', 'pull', 'news', '--overwrite']);
  await assertMissing(project.read('templates/news/es/text.txt'));
  assert.is((await project.json(['templates', 'push', 'news'])).templates[0].draft, 'unchanged');
});

test('push --watch pushes again whenever a file changes, and stops with Ctrl-C', async ({ project }) => {
  const watching = project.start(['templates', 'push', 'hello', '--watch']);
  await watching.printed(/Watching templates\. Ctrl-C ends it\./);
  await project.write('templates/hello/body.mjml', mail('Watched {{name}}'));
  await watching.printed(/hello +updated +body/);
  assert.is((await watching.stop()).code, 0);
  const { templates } = await project.json(['templates', 'push', 'hello']);
  assert.is(templates[0].draft, 'unchanged');
});

/** A GET whose path is sent unchanged. */
const getRaw = (url: string, path: string) => get(url, undefined, path);

/** A GET with a chosen Host header. */
const get = (url: string, host?: string, path?: string): Promise<{ status: number; body: string; policy: string }> =>
  new Promise((settle, reject) => {
    request(
      url,
      { headers: host === undefined ? {} : { host }, ...(path === undefined ? {} : { path }) },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          settle({
            status: response.statusCode ?? 0,
            body,
            policy: String(response.headers['content-security-policy']),
          }),
        );
      },
    )
      .once('error', reject)
      .end();
  });

test('preview shows the files and their errors, and reloads on every change', async ({ project }) => {
  const preview = project.start(['templates', 'preview']);
  const url = await preview.printed(/(http:\/\/127\.0\.0\.1:\d+\/)/);
  const { port } = new URL(url);
  const portConflict = await project.run(['templates', 'preview', '--port', port]);
  assert.is(portConflict.code, 1);
  const refusal = `error The preview cannot use port ${port} of 127.0.0.1: another program uses it. Choose another`;
  assert.ok(portConflict.stderr.startsWith(refusal), portConflict.stderr);
  const page = await get(`${url}show/receipt?view=phone`);
  assert.is(page.status, 200);
  assert.match(page.body, /<iframe sandbox="allow-same-origin" class="light phone" src="\/mail\/receipt\?/);
  assert.match(page.body, /example 2/);
  assert.not.match(page.body, /<script>|onclick|style="/);
  const mailPage = await get(`${url}mail/receipt?example=0`);
  assert.match(mailPage.body, /<html/i);
  assert.match(mailPage.policy, /^sandbox allow-same-origin; default-src 'none'/);
  assert.not.match(mailPage.body, /\{\{/);
  assert.is((await get(`${url}show/receipt`, 'evil.example')).status, 403);
  assert.is((await get(`${url}show/nowhere`)).status, 404);
  assert.is((await getRaw(url, '//')).status, 400);
  assert.is((await getRaw(url, 'http://[')).status, 400);
  assert.is((await get(`${url}show/%E0%A4%A`)).status, 404);

  const changes = await fetch(`${url}changes`);
  const reader = changes.body?.getReader();
  await project.write('templates/hello/body.mjml', mail('{{ name'));
  assert.match(new TextDecoder().decode((await reader?.read())?.value), /data: changed/);
  const faultyPage = await get(`${url}show/hello`);
  assert.match(faultyPage.body, /hello\/body\.mjml:2: /);
  await reader?.cancel();
  assert.is((await preview.stop()).code, 0);
  await project.write('templates/hello/body.mjml', mail('Hello {{name}}'));
});

test('generated types turn a wrong key or a wrong variable into a compile error', async ({ project }) => {
  await project.json(['templates', 'push', '--publish']);
  const { templates } = await project.json(['templates', 'types']);
  assert.ok(templates.includes('receipt') && !templates.includes('frame'));
  const fromFiles = await project.json(['templates', 'types', '--from', 'files', '--check']);
  assert.equal(fromFiles.written, false, 'files and workspace give the same types');
  const program = `
    import { createService } from 'postrider';
    import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
    import { standardPlugins } from 'postrider/plugins';
    const service = createService({ plugins: standardPlugins, storage: sqliteStorage({ filename: ':memory:' }) });
    const { email } = service.as('ws_1');
    const to = 'ada@example.com';
    declare const chosen: string;
    await email.send({ template: 'hello', to, variables: { name: 'Ada' } }, { idempotencyKey: 'a' });
    await email.send({ template: chosen, to, variables: { whatever: 1 } });
    await email.sendTest({ template: 'hello' });
    await email.batch({ template: 'hello', recipients: [{ to, variables: { name: 'Ada' } }, { to, variables: { name: 'Bo' } }] });
    await email.batch({ template: chosen, recipients: [{ to, variables: { whatever: 1 } }] });
    const { status } = await email.send({ template: 'receipt', to, variables: { name: 'Ada', order: '1', total: '2 EUR' } });
    status satisfies string;
    // @ts-expect-error a variable that the contract lacks
    await email.send({ template: 'hello', to, variables: { nam: 'Ada' } });
    // @ts-expect-error a variable of another type
    await email.send({ template: 'hello', to, variables: { name: 7 } });
    // @ts-expect-error a variable that is missing
    await email.send({ template: 'hello', to });
    // @ts-expect-error a key that there is not
    await email.send({ template: 'helo', to, variables: { name: 'Ada' } });
    // @ts-expect-error a recipient of a batch with a wrong variable
    await email.batch({ template: 'hello', recipients: [{ to, variables: { nam: 'Ada' } }] });
    // @ts-expect-error a recipient of a batch without its variables
    await email.batch({ template: 'receipt', recipients: [{ to }] });
    // @ts-expect-error a batch of a key that does not exist
    await email.batch({ template: 'hellow', recipients: [{ to, variables: { name: 'Ada' } }] });
    // @ts-expect-error the recipient is missing
    await email.send({ template: 'hello', variables: { name: 'Ada' } });
  `;
  await project.write('program.mts', program);
  await project.write(
    'tsconfig.json',
    JSON.stringify({
      extends: resolve('tsconfig.json'),
      compilerOptions: {
        paths: await typePaths(),
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
        noEmit: true,
      },
      include: ['program.mts', 'postrider-templates.d.ts'],
      exclude: [],
    }),
  );
  await run(process.execPath, [typeCompiler, '-p', '.'], { cwd: project.folder }).catch((error) => {
    throw new Error(String((error as { stdout: unknown }).stdout));
  });
  await project.write(
    'program.mts',
    program
      .split('\n')
      .filter((line) => !line.includes('@ts-expect-error') || line.includes('a key that there is not'))
      .filter((line) => !/nam: 'Ada'|name: 7|\bto }\)|'hello', variables|\[{ to }\]|hellow/.test(line))
      .join('\n')
      .replace('// @ts-expect-error a key that there is not', ''),
  );
  const output = await run(process.execPath, [typeCompiler, '-p', '.'], {
    cwd: project.folder,
  }).then(
    () => '',
    (error) => String((error as { stdout: unknown }).stdout),
  );
  assert.is(output.match(/error TS/g)?.length, 1, output);
  assert.match(output, /'"helo"' is not assignable to type (?=.*"hello").*"receipt"/);
  await project.write('postrider-templates.d.ts', '// stale\n');
  const stale = await project.run(['templates', 'types', '--check']);
  assert.is(stale.code, 1);
  assert.match(stale.stderr, /out of date\. Write it with `postrider templates types`, as you check it\./);
  assert.match(await project.read(join('postrider-templates.d.ts')), /stale/);
});

test('types are written next to a config file in src, because most programs compile only this folder', async () => {
  const project = await createProjectFolder({
    'src/postrider.config.mjs': sqliteConfig(),
    'templates/hello/template.json': JSON.stringify({ subject: 'Hello {{name}}' }),
    'templates/hello/body.mjml': mail('Hello {{name}}'),
  });
  const first = await project.run(['templates', 'types', '--from', 'files']);
  assert.match(first.stdout, /^src\/postrider-templates\.d\.ts: \d+ templates\.\nIt must be among the files/);
  const types = await project.read(join('src', 'postrider-templates.d.ts'));
  for (const key of ['hello', 'welcome', 'receipt'])
    assert.match(types, new RegExp(`\\b${key}\\b`), 'the types include the starters');
  const secondRun = await project.run(['templates', 'types', '--from', 'files']);
  assert.match(secondRun.stdout, /templates, up to date\.\n$/);
  await project.remove();
});

test('a push to all workspaces skips suspended workspaces, and names each workspace where it fails', async () => {
  const project = await createProjectFolder({
    'postrider.config.mjs': sqliteConfig(),
    'templates/hello/template.json': JSON.stringify({ subject: 'Hello {{name}}' }),
    'templates/hello/body.mjml': mail('Hello {{name}}'),
  });
  try {
    await project.json(['migrate']);
    const ids: string[] = [];
    for (const name of ['Acme', 'Globex', 'Initech'])
      ids.push((await project.json(['workspaces', 'create', '--name', name, '--from', 'hello@acme.example'])).id);
    await project.json(['workspaces', 'suspend', String(ids[2])]);
    const pushToAll = await project.run(['templates', 'push', '--publish', '--all']);
    assert.is(pushToAll.code, 0, pushToAll.stderr);
    for (const name of ['Acme', 'Globex']) assert.match(pushToAll.stdout, new RegExp(`^${name}, ws_`, 'm'));
    assert.not.match(pushToAll.stdout, /Initech/, 'a suspended workspace accepts no changes');
    assert.is(pushToAll.stdout.match(/hello +created/g)?.length, 2, pushToAll.stdout);
    const both = await project.run(['templates', 'push', '--all', '--workspace', String(ids[0])]);
    assert.equal([both.code, /Give --workspace or --all, one of the two/.test(both.stderr)], [2, true]);

    await project.write('templates/hello/body.mjml', mail('{{ name'));
    const failedPush = await project.run(['templates', 'push', '--publish', '--all']);
    assert.is(failedPush.code, 1);
    for (const id of ids.slice(0, 2)) assert.match(failedPush.stderr, new RegExp(`${id}: .*\\bhello\\b`));
  } finally {
    await project.remove();
  }
});

test.run();
