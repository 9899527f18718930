// The list of tools has the same bytes for the same key, in every process and at any time. Its texts and schemas work
// for clients and models.
// full-run: slow
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { listedBytes, serviceOn } from './mcp-list-process.ts';
import { readSnapshot, snapshotOf, standardTools } from './mcp-tool-snapshot.ts';

interface ToolLike {
  readonly name: string;
  readonly inputSchema: { readonly properties: SendProperties };
  readonly outputSchema?: object;
}

const test = suite('tool endpoint: the list of the standard set');
const tools = standardTools();

interface SendProperties {
  readonly template?: { readonly enum?: readonly string[] };
  readonly variables?: { readonly oneOf?: readonly { readonly title: string; readonly properties?: object }[] };
}

test('the list has the same bytes in every request and process, after a restart, and for equal keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-tools-'));
  const filename = join(folder, 'test.sqlite');
  try {
    const service = serviceOn(filename);
    await service.migrate();
    const { id } = await service.workspaces.create({
      name: 'Stable',
      plan: 'pro',
      defaultFrom: { email: 'hello@example.com', name: 'Stable' },
    });
    const api = service.as(id);
    for (const key of ['zebra', 'ant', 'mole']) {
      const variables = { type: 'object', properties: { name: { type: 'string' }, at: { type: 'string' } } } as const;
      await api.templates.create({ key, mode: 'html', subject: key, body: `<p>${key} {{name}}</p>`, variables });
      await api.templates.publish({ key });
    }
    const issue = async () => (await service.keys.create({ workspaceId: id, name: 'key', preset: 'full' })).secret;
    const [key, other] = [await issue(), await issue()];
    const first = await listedBytes(service, key);
    assert.match(first, /"ant".*"mole".*"zebra"/s);
    assert.is(await listedBytes(service, key), first, 'again');
    assert.is(await listedBytes(service, other), first, 'with another key of these scopes');
    const both = await Promise.all([listedBytes(service, key), listedBytes(service, key, '?readonly=0')]);
    assert.equal(both, [first, first], 'at the same time');
    const script = join(import.meta.dirname, 'mcp-list-process.ts');
    const args = ['--import', import.meta.resolve('tsx'), script, filename, key];
    const otherProcess = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
    assert.is(otherProcess, first, 'from another process');
    await service.stop();
    const restarted = serviceOn(filename);
    assert.is(await listedBytes(restarted, key), first, 'after a restart');
    await restarted.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('published, changed and archived templates appear in the next list of this workspace only', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const send = async (workspaceId: string) => {
      const { secret } = await testService.service.keys.create({ workspaceId, name: 'key', preset: 'full' });
      const { result } = JSON.parse(await listedBytes(testService.service, secret));
      const tool = (result.tools as { name: string; inputSchema: { properties: SendProperties } }[]).find(
        ({ name }) => name === 'send_transactional',
      );
      const { template, variables } = tool?.inputSchema.properties ?? {};
      const branch = variables?.oneOf?.find(({ title }) => title === 'news');
      return [template?.enum?.includes('news') ?? false, Object.keys(branch?.properties ?? {})];
    };
    const api = testService.service.as(testService.workspaceId);
    const contract = (...names: string[]) => ({
      type: 'object' as const,
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    });
    assert.equal(await send(testService.workspaceId), [false, []]);
    await api.templates.create({
      key: 'news',
      mode: 'html',
      subject: 'News',
      body: '<p>{{a}}</p>',
      variables: contract('a'),
    });
    assert.equal(await send(testService.workspaceId), [false, []], 'a draft is not sent');
    await api.templates.publish({ key: 'news' });
    assert.equal(await send(testService.workspaceId), [true, ['a']]);
    await api.templates.update({ key: 'news', variables: contract('a', 'b') });
    assert.equal(await send(testService.workspaceId), [true, ['a']], 'nor is a change of the working copy');
    await api.templates.publish({ key: 'news' });
    assert.equal(await send(testService.workspaceId), [true, ['a', 'b']]);
    assert.equal(await send(testService.foreignWorkspaceId), [false, []]);
    await api.templates.archive({ key: 'news' });
    assert.equal(await send(testService.workspaceId), [false, []]);
  } finally {
    await testService.close();
  }
});

test('the tools of a sandbox key list drafts in their current state', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const listed = async (secret: string) => {
      const { result } = JSON.parse(await listedBytes(testService.service, secret));
      const tool = (result.tools as { name: string; inputSchema: { properties: SendProperties } }[]).find(
        ({ name }) => name === 'send_transactional',
      );
      const { template, variables } = tool?.inputSchema.properties ?? {};
      const branch = variables?.oneOf?.find(({ title }) => title === 'offer');
      return [template?.enum?.includes('offer') ?? false, Object.keys(branch?.properties ?? {})];
    };
    const { templates } = testService.service.as(testService.workspaceId);
    const content = { mode: 'html', subject: 'Offer' } as const;
    await templates.create({ key: 'frame', kind: 'layout', mode: 'html', body: '<main>{% content %}</main>' });
    await templates.create({ key: 'framed', ...content, layout: 'frame', body: '<p>Hello</p>' });
    await templates.create({ key: 'offer', ...content, body: '<p>{{ price }}</p>' });
    assert.equal(await listed(testService.testKey), [true, ['price']]);
    assert.equal(await listed(testService.liveKey), [false, []]);
    await templates.update({ key: 'offer', body: '<p>{{ price }} {{ until }}</p>' });
    assert.equal(await listed(testService.testKey), [true, ['price', 'until']]);
    await templates.archive({ key: 'offer' });
    assert.equal(await listed(testService.testKey), [false, []]);
  } finally {
    await testService.close();
  }
});

test('the list equals the committed snapshot (npx tsx test/core/mcp-tool-snapshot.ts rewrites it)', () => {
  const [now, then] = [snapshotOf(tools), readSnapshot()].map((text) => (text ?? '').split('\n'));
  const changed = (now ?? []).filter((line) => !then?.includes(line));
  const removed = (then ?? []).filter((line) => !now?.includes(line));
  assert.equal({ changed, gone: removed }, { changed: [], gone: [] });
  assert.is(snapshotOf(tools), readSnapshot(), 'in this order');
});

/** Tokens of models, estimated as a quarter of the characters. */
const tokensOf = (text: string): number => text.length / 4;

test('the list is small enough for models, by preset and toolset, with ten templates', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const api = testService.service.as(testService.workspaceId);
    const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const line = { type: 'object' as const, properties: of('title', 'price') };
    for (let count = (await api.templates.list({})).data.length; count < 10; count += 1) {
      const properties = {
        ...of('name', 'order', 'total', 'address', 'url', 'carrier', 'until'),
        items: { type: 'array' as const, items: line },
      };
      const variables = { type: 'object' as const, properties, required: ['name', 'order'] };
      const body = '<p>{{name}} {{order}}</p>';
      await api.templates.create({ key: `mail-${count}`, mode: 'html', subject: 'A mail', body, variables });
      await api.templates.publish({ key: `mail-${count}` });
    }
    const sizeOf = async (preset: 'send' | 'full', query: string) => {
      const { secret } = await testService.service.keys.create({
        workspaceId: testService.workspaceId,
        name: preset,
        preset,
      });
      return tokensOf(await listedBytes(testService.service, secret, query));
    };
    const limits = [
      ['full', '?toolsets=core', 8_000],
      ['send', '', 20_000],
      ['full', '', 40_000],
    ] as const;
    for (const [preset, query, limit] of limits) {
      const size = await sizeOf(preset, query);
      assert.ok(size < limit, `${preset}${query}: ${size} tokens, ${limit} at most`);
    }
    const { inputSchema } = (
      JSON.parse(await listedBytes(testService.service, testService.liveKey)).result.tools as ToolLike[]
    ).find(({ name }) => name === 'send_transactional') as ToolLike;
    assert.is(inputSchema.properties.variables?.oneOf?.length, 10, 'one branch a template');
  } finally {
    await testService.close();
  }
});

test('the list has all tools; clients that send at most 128 can send those of a reader or a sender', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const listed = (text: string): ToolLike[] => JSON.parse(text).result.tools;
    const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).sort();
    assert.equal(namesOf(listed(await listedBytes(testService.service, testService.liveKey))), namesOf(tools));
    for (const preset of ['read', 'send'] as const) {
      const { secret } = await testService.service.keys.create({
        workspaceId: testService.workspaceId,
        name: preset,
        preset,
      });
      const { length } = listed(await listedBytes(testService.service, secret));
      assert.ok(length <= 100, `${preset}: ${length} tools`);
    }
    const full = listed(await listedBytes(testService.service, testService.liveKey, '?schemas=full'));
    assert.ok(full.every(({ outputSchema }) => outputSchema !== undefined));
  } finally {
    await testService.close();
  }
});

test('every tool has a usable name, title and description', () => {
  const faults = tools.flatMap(({ name, title, description, annotations }) => [
    ...(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(name) && name.length <= 40 ? [] : [`${name}: the name`]),
    ...(title.length >= 8 && title.length <= 80 && !/[.:]$/.test(title) ? [] : [`${name}: the title “${title}”`]),
    ...(annotations.title === title ? [] : [`${name}: another title in the hints`]),
    ...(description.length >= 12 && description.length <= 600
      ? []
      : [`${name}: a description of ${description.length}`]),
    ...(/^[A-Z]/.test(description) ? [] : [`${name}: the description begins small`]),
  ]);
  assert.equal(faults, []);
});

test('every tool has all hints, and the hints are consistent', () => {
  const faults = tools.flatMap(({ name, annotations }) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
    const all = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
    return [
      ...(all.every((hint) => typeof hint === 'boolean') ? [] : [`${name}: a hint is missing`]),
      ...(readOnlyHint && destructiveHint ? [`${name}: reads and destroys`] : []),
      ...(readOnlyHint && !idempotentHint ? [`${name}: a read that may not be repeated`] : []),
      ...(/^(delete|remove|archive|revoke|cancel)_/.test(name) && !destructiveHint
        ? [`${name}: destroys and does not say so`]
        : []),
      // A render may cost credits and store its picture.
      ...(/^(list|read|get|preview|browse)_/.test(name) && !readOnlyHint ? [`${name}: is called like a read`] : []),
      ...(/^send_(?!test$)/.test(name) && !openWorldHint ? [`${name}: reaches people and does not say so`] : []),
    ];
  });
  assert.equal(faults, []);
});

test('every tool takes one object and returns one object, so that every result is structured', () => {
  const faults = tools.flatMap(({ name, inputSchema, outputSchema }) => [
    ...(inputSchema.type === 'object' && inputSchema.additionalProperties === false ? [] : [`${name}: the input`]),
    ...(outputSchema?.type === 'object' ? [] : [`${name}: the output`]),
    ...['oneOf', 'anyOf', 'allOf', '$ref'].filter((word) => word in inputSchema || word in (outputSchema ?? {})),
  ]);
  assert.equal(faults, []);
});

/** Every value of a keyword with this name, and its path. */
function valuesOf(schema: unknown, keyword: string, path = ''): (readonly [string, unknown])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === keyword ? [[path, value] as const] : []),
    ...valuesOf(value, keyword, `${path}.${name}`),
  ]);
}

test('every pattern works in the regular expressions of both JavaScript and Python', () => {
  // Escapes and groups that both engines support with the same meaning.
  const foreign = /(?<!\\)(?:\\\\)*\\(?![dDwWsSbBtnrfv]|u[0-9a-f]{4})[A-Za-z]|\(\?<(?![=!])|\[\^?\]/;
  const { openapi } = createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: standardPlugins });
  const ofTools = tools.flatMap((tool) => valuesOf(tool, 'pattern', tool.name));
  const patterns = [...ofTools, ...valuesOf(openapi(), 'pattern')];
  assert.ok(patterns.length > 20);
  const faults = patterns.filter(([, pattern]) => typeof pattern === 'string' && foreign.test(pattern));
  assert.equal(faults, []);
});

test('the schema of an id argument states the prefix of the id', () => {
  // Ids that the caller chooses, names that are called ids, and ids of several kinds.
  const others = new Set([
    ...[
      'external_id',
      'campaignId',
      'targetId',
      'channelId',
      'nodeId',
      'keyOrId',
      'starterShellId',
      'groupId',
      'cropPresetId',
    ],
  ]);
  const silent = tools.flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema as { properties?: object }).properties ?? {})
      .filter(([argument]) => /^id$|Id$|_id$/.test(argument) && !others.has(argument))
      .filter(([, schema]) => !/\b[a-z]{2,5}_|^.{0,200}The key of/.test(JSON.stringify(schema)))
      .map(([argument]) => `${name}: ${argument}`),
  );
  assert.equal(silent, []);
});

test('every prompt reads like a request, with and without its optional arguments', () => {
  for (const { prompts } of standardPlugins) {
    for (const prompt of prompts) {
      assert.match(prompt.name, /^[a-z][a-z_]{3,39}$/);
      assert.ok(prompt.title.length >= 8 && prompt.description.length >= 12, prompt.name);
      const argumentsFor = (some: boolean) =>
        prompt.text(
          Object.fromEntries(
            prompt.arguments.filter(({ required }) => required || some).map(({ name }) => [name, `given ${name}`]),
          ),
        );
      for (const text of [argumentsFor(false), argumentsFor(true)]) {
        assert.ok(text.length > 40 && !text.includes('undefined'), `${prompt.name}: ${text}`);
        for (const { name, required } of prompt.arguments)
          if (required) assert.ok(text.includes(`given ${name}`), `${prompt.name} leaves ${name} out`);
      }
    }
  }
});

test('the whole list stays small enough for a model', () => {
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  assert.ok(bytes / tools.length < 6_000, `${bytes} bytes for ${tools.length} tools`);
});

test.run();
