// Templates in files, with a service in the same process: pushing under an approval policy, and loading files into a test service.
// full-run: slow
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandContext, ServiceOf } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { loadTemplates, standardPlugins } from '../../plugins/index.ts';
import { pullTemplates } from '../../plugins/templates/commands/pull-templates.ts';
import { pushTemplates } from '../../plugins/templates/commands/push-templates.ts';
import { authoredOf } from '../../plugins/templates/folder/authored.ts';
import { templateContent } from '../../plugins/templates/schema.ts';
import { commandContext } from '../support/command-context.ts';

const members = [
  { uid: 'u_ada', name: 'Ada', email: 'ada@acme.example', role: 'author' },
  { uid: 'u_bea', name: 'Bea', email: 'bea@acme.example', role: 'reviewer' },
];
const open = () => createTestService({ plugins: standardPlugins, members: { list: async () => members } });

interface FilesContext {
  readonly kit: Awaited<ReturnType<typeof open>>;
  readonly folder: string;
}

const test = suite<FilesContext>('templates in files');

test.before.each(async (context) => {
  Object.assign(context, { kit: await open(), folder: await mkdtemp(join(tmpdir(), 'postrider-files-')) });
});
test.after.each(async ({ kit, folder }) => {
  await kit.close();
  await rm(folder, { recursive: true });
});

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'templates', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The context of a command, which adds its output to `output`. */
function contextOf({ kit, folder }: FilesContext, output: string[]): CommandContext {
  const { signal } = new AbortController();
  return {
    ...commandContext(kit.service, kit.workspaceId, { cwd: folder, say: (line) => output.push(line), signal }),
    print: (line) => output.push(line),
    table: (_, rows) => output.push(...rows.map((row) => row.join(' | '))),
    calls: async ({ member } = {}) =>
      (kit.service as unknown as ServiceOf<string>).as(kit.workspaceId, {
        actor: 'cli',
        ...(member === undefined ? {} : { member }),
      }),
  };
}

/** Runs the command and returns its result and its output. */
async function push(place: FilesContext, options: Readonly<Record<string, string | boolean>> = {}) {
  const output: string[] = [];
  const context = contextOf(place, output);
  const switches = { keys: [], dir: 'templates', 'allow-breaking': false, 'dry-run': false, watch: false };
  const result = await pushTemplates.run(context, { ...switches, publish: true, member: undefined, ...options });
  return { result: result as Readonly<Record<string, unknown>>, said: output.join('\n') };
}

const heldTemplate = { 'held/template.json': '{ "subject": "Held" }', 'held/body.html': '<p>Held</p>' };
const bypassLine = /^The approval policy of templates was bypassed, .* To ask for approval: --member UID\.$/m;

test('a push as a member waits for approval and names the request', async (context) => {
  const { kit, folder } = context;
  const { approvals, templates } = kit.service.as(kit.workspaceId);
  await approvals.policySet({ surfaceKind: 'email_template', required: true });
  await write(folder, heldTemplate);
  const first = await push(context, { member: 'u_ada' });
  const requestId = String(/^held \| created \| {2}\| waits for (apr_\w+)$/m.exec(first.said)?.[1]);
  const request = await approvals.read({ requestId });
  assert.equal([request.status, request.submittedBy.uid], ['pending', 'u_ada']);
  assert.is((await templates.read({ key: 'held' })).version, 0);
  const secondPush = await push(context, { member: 'u_ada' });
  assert.equal(secondPush.result['templates'], [
    { key: 'held', draft: 'unchanged', changed: [], approvalRequestId: requestId },
  ]);
  assert.not.match(secondPush.said, bypassLine);

  const unknown: unknown = await push(context, { member: 'u_bee' }).catch((error) => error);
  assert.match(String(unknown), 'There is no member u_bee. Did you mean u_bea?');
});

test('a pulled template is pushed unchanged, with every field that an author can set', async (context) => {
  const { kit, folder } = context;
  const { brand, templates } = kit.service.as(kit.workspaceId);
  const [theme] = (await brand.create({ name: 'Acme', themes: [{ name: 'Winter' }] })).themes;
  const authorFields = {
    name: 'Spring sale',
    category: 'marketing' as const,
    mode: 'html' as const,
    subject: 'Sale, {{ name }}',
    previewText: 'Only today',
    themeId: theme?.id ?? '',
    body: '<p>Hello {{ name }}</p><a href="%unsubscribe_url%">Leave</a>',
    text: 'Hello {{ name }} %unsubscribe_url%',
    layout: 'frame',
    locale: 'en',
    locales: {
      de: {
        subject: 'Angebot, {{ name }}',
        body: '<p>Hallo {{ name }}</p><a href="%unsubscribe_url%">Abmelden</a>',
        text: 'Hallo %unsubscribe_url%',
      },
    },
    variables: { type: 'object', properties: { name: { type: 'string', examples: ['Ada'] } } },
    delivery: 'at-most-once' as const,
    tracking: { opens: false, clicks: true },
  };
  await templates.create({
    key: 'frame',
    kind: 'layout',
    mode: 'html',
    body: '<html><body>{% content %}</body></html>',
  });
  await templates.publish({ key: 'frame' });
  await templates.create({ key: 'sale', ...authorFields });
  const before = authoredOf(await templates.read({ key: 'sale' }));
  assert.equal(
    Object.keys(before).sort(),
    Object.keys(templateContent).sort(),
    'pull writes every field that an author can set',
  );
  await pullTemplates.run(contextOf(context, []), { keys: [], dir: 'templates', overwrite: false });
  assert.match(await readFile(join(folder, 'templates/sale/template.json'), 'utf8'), `"themeId": "${theme?.id}"`);
  await templates.update({ key: 'sale', themeId: null });
  const secondPush = await push(context, { publish: false });
  assert.equal(
    (secondPush.result['templates'] as { key: string }[]).find(({ key }) => key === 'sale'),
    {
      key: 'sale',
      draft: 'updated',
      changed: ['themeId'],
    },
  );
  assert.equal(authoredOf(await templates.read({ key: 'sale' })), before);
  await rename(join(folder, 'templates/sale'), join(folder, 'templates/sale_again'));
  await push(context, { publish: false });
  assert.equal(authoredOf(await templates.read({ key: 'sale_again' })), before);

  const foreign = kit.service.as(kit.foreignWorkspaceId);
  assert.ok((await loadTemplates(foreign, join(folder, 'templates'))).includes('sale_again'));
  assert.is((await foreign.templates.read({ key: 'sale_again' })).themeId, null);
});

test('a push by the program bypasses the approval policy, and its output mentions this', async (context) => {
  const { kit, folder } = context;
  const { approvals, templates } = kit.service.as(kit.workspaceId);
  await write(folder, heldTemplate);
  const free = await push(context);
  assert.not.match(free.said, bypassLine);
  await approvals.policySet({ surfaceKind: 'email_template', required: true });
  await write(folder, { 'held/body.html': '<p>Changed</p>' });
  const through = await push(context);
  assert.match(through.said, bypassLine);
  assert.is(through.result['passed_approval_policy'], true);
  assert.is((await templates.read({ key: 'held' })).version, 2);
  assert.not.match((await push(context)).said, bypassLine, 'a template was published');
});

test('a variable that the contract lacks is reported with its line in the body', async (context) => {
  const { folder } = context;
  const item = { type: 'object', properties: { title: { type: 'string' } } };
  const variables = { type: 'object', properties: { items: { type: 'array', items: item } } };
  const faultOf = async (body: string) => {
    await write(folder, { 'basket/body.html': body });
    const output: string[] = [];
    await push(context).catch((error) => output.push(String(error)));
    const calls = context.kit.service.as(context.kit.workspaceId);
    return String(await loadTemplates(calls, join(folder, 'templates')).catch((error) => error));
  };
  await write(folder, { 'basket/template.json': JSON.stringify({ subject: 'Your basket', variables }) });
  assert.match(
    await faultOf('<p>Yours:</p>\n{% for item in itmes %}{{ item.title }}{% endfor %}'),
    'basket/body.html:2: The contract does not declare itmes, which this line reads. Did you mean items?',
  );
  assert.match(await faultOf('{% for item in items %}{{ item.titel }}{% endfor %}'), 'Did you mean items.[].title?');
});

test("a test service loads the program's files, including layouts and languages", async ({ kit, folder }) => {
  const calls = kit.service.as(kit.workspaceId);
  await write(folder, {
    'order_ready/template.json': JSON.stringify({
      subject: 'Order {{ order }} is ready',
      layout: 'zebra',
      locale: 'en',
      locales: { de: { subject: 'Bestellung {{ order }} ist bereit' } },
    }),
    'order_ready/body.html': '<p>Come and get it.</p>',
    'order_ready/de/body.html': '<p>Hol sie ab.</p>',
    'zebra/template.json': '{ "kind": "layout" }',
    'zebra/body.html': '<html><body><h1>Acme</h1>{% content %}</body></html>',
  });
  const templates = join(folder, 'templates');
  assert.equal(await loadTemplates(calls, templates), ['zebra', 'order_ready']);
  assert.equal(await loadTemplates(calls, templates, { keys: ['order_ready'] }), ['order_ready']);
  const { version, name } = await calls.templates.read({ key: 'order_ready' });
  assert.equal([version, name], [1, 'order_ready']);
  const to = 'ada@example.com';
  await calls.email.send({ template: 'order_ready', to, variables: { order: 'A-1042' }, locale: 'de' });
  await kit.drain();
  const mail = kit.lastMailTo(to);
  assert.is(mail?.subject, 'Bestellung A-1042 ist bereit');
  assert.match(String(mail?.html), /<h1[^>]*>Acme<\/h1>/);

  await write(folder, { 'order_ready/de/body.html': '<p>{{ name</p>' });
  const refused = String(await loadTemplates(calls, templates).catch((error) => error));
  assert.match(refused, 'order_ready/de/body.html:1: ');
  const missing = String(await loadTemplates(calls, join(folder, 'nowhere')).catch((error) => error));
  assert.match(missing, 'There is no folder');
});

test('push --watch does not miss a change that is made while it starts to watch', async (place) => {
  await write(place.folder, heldTemplate);
  const output: string[] = [];
  const end = new AbortController();
  const context: CommandContext = {
    ...contextOf(place, output),
    signal: end.signal,
    print(line) {
      if (line.startsWith('Watching')) writeFileSync(join(place.folder, 'templates/held/body.html'), '<p>Changed</p>');
    },
    table: (_, rows) => {
      output.push(...rows.map((row) => row.join(' | ')));
      if (output.length === 2) end.abort();
    },
  };
  const timeLimit = setTimeout(() => end.abort(), 10_000);
  const switches = { keys: [], dir: 'templates', 'allow-breaking': false, 'dry-run': false, publish: false };
  await pushTemplates.run(context, { ...switches, member: undefined, watch: true });
  clearTimeout(timeLimit);
  assert.equal(output, ['held | created |  | ', 'held | updated | body | ']);
});

test.run();
