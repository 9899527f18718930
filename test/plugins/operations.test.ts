// search_tools finds operations by the words of a user, returns only operations that the caller may call, and returns short results. The
// tasks that users describe (“tool jobs”) are in test/core/tool-jobs*.ts.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { type ToolJob, toolJobs } from '../core/tool-jobs.ts';
import { freshToolJobs } from '../core/tool-jobs-fresh.ts';
import { heldOutToolJobs } from '../core/tool-jobs-held-out.ts';
import { independentToolJobs } from '../core/tool-jobs-independent.ts';
import { laterToolJobs } from '../core/tool-jobs-later.ts';
import { trainedToolJobs } from '../core/tool-jobs-trained.ts';
import { moreTrainedToolJobs } from '../core/tool-jobs-trained-more.ts';
import { unseenToolJobs } from '../core/tool-jobs-unseen.ts';

interface Found {
  readonly id: string;
  readonly tool: string | null;
  readonly method: string;
  readonly path: string;
  readonly note: string | null;
  readonly missing_scopes: readonly string[];
  readonly input_schema: { readonly properties: object } | null;
  readonly output_schema: object | null;
}

const test = suite('operations: search');
let testService: TestService<(typeof standardPlugins)[number]['id']>;

test.before(async () => {
  testService = await createTestService({ plugins: standardPlugins });
});
test.after(() => testService.close());

async function search(
  query: string,
  more = '',
  key = testService.liveKey,
): Promise<{ data: Found[]; note: string | null }> {
  const { status, body } = await testService.request(`/v1/operations?query=${encodeURIComponent(query)}${more}`, {
    key,
  });
  assert.is(status, 200, JSON.stringify(body));
  return body;
}

async function callTool(args: object, key = testService.liveKey): Promise<{ data: Found[]; note: string | null }> {
  const { body } = await testService.request('/v1/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_tools', arguments: args } },
  });
  assert.is(body.result.isError, undefined, JSON.stringify(body.result));
  return body.result.structuredContent;
}

async function missedJobs(jobs: readonly ToolJob[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { says, tools } of jobs) {
    // Each search counts for the limit per minute of its key.
    testService.advanceClock(1_000);
    const { data } = await callTool({ query: says });
    if (data.every(({ tool }) => tool === null || !tools.includes(tool))) missing.push(says);
  }
  return missing;
}

test('the right tool is among the first five for at least 57 of 60 jobs', async () => {
  const [seen, unseen] = [await missedJobs(toolJobs), await missedJobs(unseenToolJobs)];
  assert.is(toolJobs.length + unseenToolJobs.length, 60);
  assert.ok(seen.length + unseen.length <= 3, `missed: ${[...seen, ...unseen].join('; ')}`);
});

test('the jobs that were written after the search are found, too', async () => {
  const laterJobs = [...laterToolJobs, ...trainedToolJobs, ...moreTrainedToolJobs];
  const missing = await missedJobs(laterJobs);
  assert.ok(missing.length <= laterJobs.length * 0.07, `missed: ${missing.join('; ')}`);
});

test('at least 26 of 30, 54 of 60 and 32 of 40 jobs are found on which the search was not tuned', async () => {
  // The messages do not name the missed jobs, so that nobody tunes the search on them.
  assert.ok((await missedJobs(independentToolJobs)).length <= 4);
  assert.ok((await missedJobs(heldOutToolJobs)).length <= 6);
  assert.ok((await missedJobs(freshToolJobs)).length <= 8);
});

test('polite words, names and the content of a message have no effect on a search', async () => {
  const same = async (plain: string, long: string) => {
    const [first, second] = [await callTool({ query: plain, limit: 1 }), await callTool({ query: long, limit: 1 })];
    assert.is(second.data[0]?.tool, first.data[0]?.tool, long);
  };
  await same('delete the page', 'Could you please get rid of the page');
  await same('email Ada', 'please tell Ada by email that her contact list, template and webhook are ready');
  await same('reject the strategy', 'turn down the strategy');
});

test('a question finds operations that read, a command finds operations that change data', async () => {
  const { data: questionResults } = await callTool({ query: 'which pages are published?' });
  assert.match(questionResults[0]?.tool ?? '', /^(list|read)_page/);
  const { data: commandResults } = await callTool({ query: 'publish the page' });
  assert.is(commandResults[0]?.tool, 'publish_page');
});

test('a word that no operation uses finds the operations for its meaning', async () => {
  const cases = [
    ['a freebie', /lead_magnet/],
    ['a cohort', /list|segment/],
    ['their handsets', /sms/],
    ['the cadence', /sequence/],
    ['our microsite', /page/],
    ['typography', /brand|theme/],
  ] as const;
  for (const [query, about] of cases) {
    const { data } = await callTool({ query });
    assert.ok(data.length > 0, query);
    assert.ok(
      data.slice(0, 4).every(({ tool }) => about.test(tool ?? '')),
      `${query}: ${data.map(({ tool }) => tool).join()}`,
    );
  }
  assert.equal((await callTool({ query: 'zyzzyva' })).data, []);
});

test('a result has the tool, the route and the arguments', async () => {
  const { data, note } = await search('create_short_link', '&limit=1');
  const [found] = data;
  assert.is(note, null);
  assert.equal(
    [found?.id, found?.tool, found?.method, found?.path],
    ['links.create', 'create_short_link', 'POST', '/v1/links'],
  );
  assert.ok('destinationUrl' in (found?.input_schema?.properties ?? {}));
  assert.is(found?.output_schema, null);
  const fullResults = await search('create_short_link', '&limit=1&schemas=full');
  assert.ok(JSON.stringify(fullResults.data[0]?.output_schema).includes('redirectUrl'));
});

test('the exact name of a tool is the first result', async () => {
  for (const name of ['list_sends', 'update_page', 'search_tools']) assert.is((await search(name)).data[0]?.tool, name);
});

test('schemas in results have no references, and long schemas are omitted with a note', async () => {
  const { data, note } = await search('create_sequence update_sequence create_brand', '&limit=20');
  assert.not.match(JSON.stringify(data), '$ref');
  assert.ok(data[0]?.input_schema !== null, 'the best result has its arguments');
  assert.ok(data.some((found) => found.input_schema === null));
  assert.match(note ?? '', /exact name/);
});

test('operations that the key may not call are omitted', async () => {
  const reader = await testService.keyWith(['contacts:read']);
  const { data } = await search('erase a contact', '&limit=20', reader);
  assert.ok(data.some(({ tool }) => tool === 'read_contact'));
  assert.not.ok(data.some(({ tool }) => tool === 'delete_contact'));
  assert.ok(data.every((found) => found.missing_scopes.length === 0));
});

test('any key may search, even if it may call no tool in the results', async () => {
  const narrow = await testService.keyWith(['audit:read']);
  assert.equal((await callTool({ query: 'publish_page' }, narrow)).data, []);
});

test('agents get only tools, but over REST the search also finds operations without a tool', async () => {
  const query = 'send email alias template send';
  assert.ok((await callTool({ query, limit: 20 })).data.every(({ tool }) => tool !== null));
  assert.ok((await search(query, '&limit=20')).data.some(({ tool }) => tool === null));
});

test('the result for the send tool says how to read its variables with fewer tokens', async () => {
  const [found] = (await callTool({ query: 'send_transactional', limit: 1 })).data;
  assert.match(found?.note ?? '', /read_template_schema.*templates=compact/);
});

test('a query without a known word has an empty result', async () => {
  for (const query of ['the', '???', 'qqqqqqqq zzzzzzzz', '日本語'])
    assert.equal((await search(query)).data, [], query);
});

test('an invalid limit is refused', async () => {
  for (const more of ['&limit=0', '&limit=21', '&limit=x'])
    assert.is((await testService.request(`/v1/operations?query=a${more}`)).status, 422, more);
  assert.is((await testService.request('/v1/operations')).status, 422);
  assert.is((await testService.request(`/v1/operations?query=${'a'.repeat(501)}`)).status, 422);
});

test.run();
