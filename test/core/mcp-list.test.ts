// The list of tools has the same bytes for the same key, in every process and at any time. Its texts and schemas work for clients and
// models.
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
import { listBytes, serviceOn } from './mcp-list-process.ts';
import { readSnapshot, snapshotOf, standardTools } from './mcp-tool-snapshot.ts';

interface ToolLike {
  readonly name: string;
  readonly inputSchema: { readonly properties: SendProperties };
  readonly outputSchema?: object;
}

const test = suite('MCP endpoint: the list of the standard set');
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
    const [key, otherKey] = [await issue(), await issue()];
    const first = await listBytes(service, key);
    assert.match(first, /"ant".*"mole".*"zebra"/s);
    assert.is(await listBytes(service, key), first, 'a second request gets the same bytes');
    assert.is(await listBytes(service, otherKey), first, 'another key with the same scopes gets the same bytes');
    const both = await Promise.all([listBytes(service, key), listBytes(service, key, '?readonly=0')]);
    assert.equal(both, [first, first], 'simultaneous requests get the same bytes');
    const script = join(import.meta.dirname, 'mcp-list-process.ts');
    const args = ['--import', import.meta.resolve('tsx'), script, filename, key];
    const otherProcess = execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
    assert.is(otherProcess, first, 'another process returns the same bytes');
    await service.stop();
    const restartedService = serviceOn(filename);
    assert.is(await listBytes(restartedService, key), first, 'the bytes are the same after a restart');
    await restartedService.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('templates that were published, changed and archived are shown in the next list, only in their own workspace', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const send = async (workspaceId: string) => {
      const { secret } = await testService.service.keys.create({ workspaceId, name: 'key', preset: 'full' });
      const { result } = JSON.parse(await listBytes(testService.service, secret));
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
    assert.equal(await send(testService.workspaceId), [true, ['a']], 'a change of the working copy is not shown');
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
    const listTemplates = async (secret: string) => {
      const { result } = JSON.parse(await listBytes(testService.service, secret));
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
    assert.equal(await listTemplates(testService.testKey), [true, ['price']]);
    assert.equal(await listTemplates(testService.liveKey), [false, []]);
    await templates.update({ key: 'offer', body: '<p>{{ price }} {{ until }}</p>' });
    assert.equal(await listTemplates(testService.testKey), [true, ['price', 'until']]);
    await templates.archive({ key: 'offer' });
    assert.equal(await listTemplates(testService.testKey), [false, []]);
  } finally {
    await testService.close();
  }
});

test('the list equals the committed snapshot (npx tsx test/core/mcp-tool-snapshot.ts rewrites it)', () => {
  const [now, snapshot] = [snapshotOf(tools), readSnapshot()].map((text) => (text ?? '').split('\n'));
  const addedLines = (now ?? []).filter((line) => !snapshot?.includes(line));
  const removedLines = (snapshot ?? []).filter((line) => !now?.includes(line));
  assert.equal({ changed: addedLines, gone: removedLines }, { changed: [], gone: [] });
  assert.is(snapshotOf(tools), readSnapshot(), 'the order of the lines differs');
});

/** Tokens of models, estimated as a quarter of the characters. */
const tokensOf = (text: string): number => text.length / 4;

test('the list is small enough for models, by preset and toolset, with ten templates', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const api = testService.service.as(testService.workspaceId);
    const textProperties = (...names: string[]) =>
      Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const line = { type: 'object' as const, properties: textProperties('title', 'price') };
    for (let count = (await api.templates.list({})).data.length; count < 10; count += 1) {
      const properties = {
        ...textProperties('name', 'order', 'total', 'address', 'url', 'carrier', 'until'),
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
      return tokensOf(await listBytes(testService.service, secret, query));
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
      JSON.parse(await listBytes(testService.service, testService.liveKey)).result.tools as ToolLike[]
    ).find(({ name }) => name === 'send_transactional') as ToolLike;
    assert.is(inputSchema.properties.variables?.oneOf?.length, 10, 'one branch for each template');
  } finally {
    await testService.close();
  }
});

test('the list has all tools, and clients that send at most 128 tools can send all tools of a reader or a sender', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const toolsIn = (text: string): ToolLike[] => JSON.parse(text).result.tools;
    const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).sort();
    assert.equal(namesOf(toolsIn(await listBytes(testService.service, testService.liveKey))), namesOf(tools));
    for (const preset of ['read', 'send'] as const) {
      const { secret } = await testService.service.keys.create({
        workspaceId: testService.workspaceId,
        name: preset,
        preset,
      });
      const { length } = toolsIn(await listBytes(testService.service, secret));
      assert.ok(length <= 100, `${preset}: ${length} tools`);
    }
    const full = toolsIn(await listBytes(testService.service, testService.liveKey, '?schemas=full'));
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
    ...(/^[A-Z]/.test(description) ? [] : [`${name}: the description begins with a small letter`]),
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
      ...(readOnlyHint && !idempotentHint ? [`${name}: a read that is not idempotent`] : []),
      ...(/^(delete|remove|archive|revoke|cancel)_/.test(name) && !destructiveHint
        ? [`${name}: destroys data without the hint`]
        : []),
      // A render may cost credits, and may store its picture.
      ...(/^(list|read|get|preview|browse)_/.test(name) && !readOnlyHint ? [`${name}: has the name of a read`] : []),
      ...(/^send_(?!test$)/.test(name) && !openWorldHint ? [`${name}: reaches people without the hint`] : []),
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

/** Every value of a keyword with this name, with its path */
function valuesOf(schema: unknown, keyword: string, path = ''): (readonly [string, unknown])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === keyword ? [[path, value] as const] : []),
    ...valuesOf(value, keyword, `${path}.${name}`),
  ]);
}

test('every pattern works in the regular expressions of both JavaScript and Python', () => {
  // Escapes and groups that have the same meaning in both engines
  const foreign = /(?<!\\)(?:\\\\)*\\(?![dDwWsSbBtnrfv]|u[0-9a-f]{4})[A-Za-z]|\(\?<(?![=!])|\[\^?\]/;
  const { openapi } = createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins: standardPlugins });
  const ofTools = tools.flatMap((tool) => valuesOf(tool, 'pattern', tool.name));
  const patterns = [...ofTools, ...valuesOf(openapi(), 'pattern')];
  assert.ok(patterns.length > 20);
  const faults = patterns.filter(([, pattern]) => typeof pattern === 'string' && foreign.test(pattern));
  assert.equal(faults, []);
});

test('the schema of an id argument states the prefix of the id', () => {
  // Ids that the caller chooses, names that are called ids, and ids of several kinds
  const otherIds = new Set([
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
      .filter(([argument]) => /^id$|Id$|_id$/.test(argument) && !otherIds.has(argument))
      .filter(([, schema]) => !/\b[a-z]{2,5}_|^.{0,200}The key of/.test(JSON.stringify(schema)))
      .map(([argument]) => `${name}: ${argument}`),
  );
  assert.equal(silent, []);
});

test('every prompt can be read as a request, with and without its optional arguments', () => {
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
          if (required) assert.ok(text.includes(`given ${name}`), `${prompt.name} does not mention ${name}`);
      }
    }
  }
});

test('the whole list is small enough for a model', () => {
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  assert.ok(bytes / tools.length < 6_000, `${bytes} bytes for ${tools.length} tools`);
});

test.run();
