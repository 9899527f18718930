// An agent's job with the official client: a page with a form for a list with double opt-in, a sequence of two mails, a short link
// with its QR code, and a post that waits for approval. Counts the calls and the tokens that the agent reads.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type ParsedJson } from '../../hosts/testing/test-service.ts';
import { approvalsPlugin } from '../../plugins/index.ts';
import { type AnyClient, generations } from '../core/mcp-generations.ts';
import { serve } from '../core/notes-service.ts';
import { withFilledPlaceholders } from '../support/fill-placeholders.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const test = suite("an agent's job");

const plugins = bareStandardPlugins.map((plugin) =>
  plugin.id === 'approvals' ? approvalsPlugin({ policies: { social_post: { appliesTo: 'agents' } } }) : plugin,
);

type Fields = Readonly<Record<string, unknown>>;

/** The effort of the agent: its calls, and the characters of their results that a model reads. */
interface Effort {
  calls: number;
  characters: number;
  readonly sizes: [string, number][];
}

/** Opens the service behind HTTP, with the client of an agent. */
async function openJob(query: string) {
  const testService = await createTestService({ plugins: plugins as unknown as typeof bareStandardPlugins });
  await testService.service.connectors.create(testService.workspaceId, {
    kind: 'social',
    provider: 'x',
    name: 'X',
    credentials: {},
    options: { handle: 'acme', displayName: 'Acme' },
  });
  const http = await serve(testService.service.dispatch);
  const { secret } = await testService.service.keys.create({
    workspaceId: testService.workspaceId,
    name: 'agent',
    mode: 'mcp',
    preset: 'full',
  });
  const client = (await generations['the 1.x client']?.(secret, `${http.origin}/v1/mcp${query}`)) as AnyClient;
  const effort: Effort = { calls: 0, characters: 0, sizes: [] };
  const call = async (name: string, args: Fields) => {
    const result = await client.callTool({ name, arguments: args });
    assert.not.ok(result.isError, `${name}: ${JSON.stringify(result.structuredContent)}`);
    const read = result.content.map(({ text = '' }) => text.length).reduce((sum, length) => sum + length, 0);
    effort.calls += 1;
    effort.characters += read;
    effort.sizes.push([name, read]);
    return { ...result, structuredContent: result.structuredContent ?? {} };
  };
  return {
    under: testService,
    client,
    effort,
    call,
    async close() {
      await client.close();
      await http.stop();
      await testService.close();
    },
  };
}

type Job = Awaited<ReturnType<typeof openJob>>;

/** Does the job; `call` runs one tool. */
async function work({ under }: Job, call: Job['call']): Promise<void> {
  const answer = async (name: string, args: Fields) => (await call(name, args)).structuredContent as ParsedJson;
  if ((await answer('list_brands', {})).data.length === 0) await answer('create_brand', { name: 'Acme' });
  const page = await answer('create_page', { brief: 'A course on sourdough for beginners.', length: 'short' });
  await under.drain();
  const built = await answer('read_page', { idOrSlug: page.id, sections: 'full' });
  assert.is(built.composeStatus, 'ready');
  const list = await answer('create_list', { name: 'Course', optin: 'double' });
  const sectionsToSave = withFilledPlaceholders(built.sections);
  const fields = [{ name: 'email', type: 'email', label: 'Email', required: true }];
  const section = { kind: 'lead_form', heading: 'Join', form: { formId: 'join', fields, listId: list.listId } };
  await answer('update_page', { idOrSlug: page.id, sections: [...sectionsToSave, section] });
  const published = await answer('publish_page', { idOrSlug: page.id });
  for (const key of ['course-welcome', 'course-day-three']) {
    await answer('create_template', {
      key,
      mode: 'html',
      subject: 'Your course',
      body: '<p>Hello from the course.</p>',
    });
    await answer('publish_template', { key });
  }
  const sequence = await answer('create_sequence', {
    name: 'Course',
    trigger: { kind: 'list_joined', listId: list.listId },
    nodes: [
      { id: 'welcome', kind: 'send_email', templateKey: 'course-welcome' },
      { id: 'wait', kind: 'delay', for: 'P3D' },
      { id: 'second', kind: 'send_email', templateKey: 'course-day-three' },
    ],
    edges: [
      { from: 'welcome', to: 'wait' },
      { from: 'wait', to: 'second' },
    ],
  });
  assert.is((await answer('publish_sequence', { keyOrId: sequence.key })).status, 'published');
  const link = await answer('create_short_link', { destinationUrl: published.url ?? 'https://example.com/course' });
  const code = await answer('create_qr_design', { encodes: { kind: 'shortLink', linkId: link.linkId } });
  const picture = await call('render_qr_design', { qrId: code.qrId, format: 'png' });
  assert.is(picture.content.at(-1)?.type, 'image');
  await answer('refresh_social_networks', {});
  const post = await call('create_social_post', {
    mode: 'copy',
    channels: ['x'],
    caption: 'Our course on sourdough starts today.',
    publish: true,
  });
  assert.match(post.content[0]?.text ?? '', /^Stored as soc_\w+, not published/);
}

const tokensOf = (characters: number): number => Math.round(characters / 4);

/** The tools whose arguments are in an answer of search_tools. */
const toolsWithArguments = (answer: Fields): string[] =>
  (answer.data as { tool: string; input_schema: object | null }[]).flatMap(({ tool, input_schema: schema }) =>
    schema === null ? [] : [tool],
  );

/** The searches of a model that uses the toolset core: each comes before the first tool of a part of the job. */
const searches: ReadonlyMap<string, string> = new Map([
  ['list_brands', 'brand of the workspace'],
  ['create_page', 'landing page with a form'],
  ['create_list', 'list with double opt-in'],
  ['create_template', 'write and publish a mail template'],
  ['create_sequence', 'sequence of mails'],
  ['create_short_link', 'short link'],
  ['create_qr_design', 'QR code'],
  ['refresh_social_networks', 'publish a social post'],
]);

test('with the whole list of tools, the job takes 18 calls and less than 4,000 tokens of results', async () => {
  const job = await openJob('');
  try {
    await work(job, job.call);
    assert.is(job.effort.calls, 18);
    assert.ok(tokensOf(job.effort.characters) < 4_000, JSON.stringify(job.effort));
  } finally {
    await job.close();
  }
});

test('with the toolset core, the job takes at most 32 calls with all searches, and fewer tokens than the list of all tools', async () => {
  const job = await openJob('?toolsets=core');
  try {
    const { tools } = await job.client.listTools();
    const known = new Set(tools.map(({ name }) => name));
    const search = async (query: string, limit?: number) => {
      const { structuredContent } = await job.call('search_tools', {
        query,
        ...(limit === undefined ? {} : { limit }),
      });
      for (const name of toolsWithArguments(structuredContent)) known.add(name);
    };
    await work(job, async (name, args) => {
      const query = searches.get(name);
      if (query !== undefined && !known.has(name)) await search(query);
      // If the results lack a tool or its arguments, the agent searches for the name of the tool.
      if (!known.has(name)) await search(name, 1);
      assert.ok(known.has(name), name);
      return job.call('call_tool', { name, arguments: args });
    });
    const tokens = tokensOf(JSON.stringify(tools).length + job.effort.characters);
    assert.ok(job.effort.calls <= 32, String(job.effort.calls));
    assert.ok(tokens < 26_000, String(tokens));
  } finally {
    await job.close();
  }
});

test.run();
