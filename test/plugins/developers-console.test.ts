// time-limit: 180
// The pages of failed jobs, of requests and of the audit in the console: their lists, their filters, the retry of a job, and the steps of
// a developer in a real browser. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { defineJob, definePlugin, type MemberAccess, z } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { browserHeaders, formHeaders } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';
import { pageRequester } from '../support/page-requester.ts';

const quiet = () => undefined;

/** A service with a job that fails until it is repaired, and a sign-in whose scopes a test chooses. */
async function openBench() {
  const signIn: { scopes: MemberAccess['workspaces'][number]['scopes'] } = { scopes: 'full' };
  const ids: string[] = [];
  const state = { isRepaired: false };
  const plain = defineJob({
    kind: 'reports.export',
    payload: z.object({ email: z.string() }),
    retryDelaysMs: [],
    handler: async (_ctx, { email }) => {
      if (!state.isRepaired) throw new RangeError(`no mailbox for ${email}`);
    },
  });
  const final = defineJob({
    kind: 'reports.final',
    payload: z.object({}),
    retryDelaysMs: [],
    handler: async () => {
      throw new TypeError('broken');
    },
    exhausted: async () => undefined,
  });
  const later = defineJob({
    kind: 'reports.later',
    payload: z.object({}),
    retryDelaysMs: [600_000],
    handler: async () => {
      throw new TypeError('broken');
    },
  });
  const bench = await createTestService({
    plugins: [...standardPlugins, definePlugin({ id: 'reports', jobs: [plain, final, later] })],
    startAt: Date.UTC(2026, 10, 20, 12),
    requestLog: true,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    access: () => ({ member: 'u_ada', name: 'Ada', workspaces: ids.map((id) => ({ id, scopes: signIn.scopes })) }),
  });
  const { service, workspaceId } = bench;
  ids.push(workspaceId);
  const fail = async (kind: string, payload: object = {}) => {
    const workspace = await service.workspaces.read(workspaceId);
    const id = await inWorkspace(service.core, workspace, async (ctx) => ctx.enqueue({ kind, payload }));
    await bench.drain();
    return id;
  };
  const ask = pageRequester(service, `/console/${workspaceId}`);
  const page = async (path: string) => (await ask(path, browserHeaders)).text;
  return { bench, signIn, state, fail, ask, page, calls: service.as(workspaceId) };
}

const test = suiteInBrowser<{ browser: Browser }>('the pages of developers', {
  title: 'the server returns the page of jobs',
  async run() {
    const { bench, ask } = await openBench();
    assert.is((await ask('/jobs', browserHeaders)).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

test('a developer finds the failed job and retries it', async ({ browser }) => {
  const { bench, fail, state, calls } = await openBench();
  await fail('reports.export', { email: 'ada.secret@example.org' });
  await fail('reports.final');
  state.isRepaired = true;
  await bench.request('/v1/workspace', {});
  await bench.drain();
  await visitUnderBasePath(browser, bench, { viewport: { width: 1280, height: 800 } }, async (visit) => {
    const { page, origin, pageErrors } = visit;
    for (const width of [1280, 768, 320])
      for (const name of ['jobs', 'requests', 'audit']) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/console/${bench.workspaceId}/${name}`);
        assert.equal(await accessibilityViolations(page), [], `${name} at ${width} px`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, `${name} at ${width} px`);
        await saveScreenshot(page, `developers-${name}-${width}`);
      }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${origin}/console`);
    await page.locator('.rail').getByRole('link', { name: 'Jobs' }).click();
    await page.getByLabel('State').selectOption('Failed');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('RangeError').waitFor();
    await page.locator('summary').getByText('Retry').click();
    await saveScreenshot(page, 'developers-retry');
    await page.getByRole('button', { name: 'Retry the job' }).click();
    await page.getByText('The job runs again.').waitFor();
    await bench.drain();
    const { data } = await calls.jobs.list();
    assert.equal(
      data.map(({ kind }) => kind),
      ['reports.final'],
    );
    assert.equal(pageErrors, []);
  });
});

test('jobs show their kind, state and error but no contents, and only a person with the scope can retry them', async () => {
  const { bench, fail, page, ask, signIn, calls } = await openBench();
  assert.match(await page('/jobs'), 'No job has failed.');
  await fail('reports.export', { email: 'ada.secret@example.org' });
  await fail('reports.later');
  await fail('reports.final');
  const all = await page('/jobs');
  assert.not.match(all, 'ada.secret');
  assert.match(all, /reports\.export[\s\S]*>Failed<[\s\S]*RangeError[\s\S]*after 1 attempt</);
  assert.match(all, />Waiting<\/span> <span class="below">Next attempt <time/);
  assert.match(all, 'Final: do the work anew');
  assert.is(all.match(/value="retry"/g)?.length, 2);
  const failedJobs = await page('/jobs?state=failed&kind=reports.export');
  assert.match(failedJobs, 'reports.export');
  assert.not.match(failedJobs, /reports\.later<|reports\.final</);
  assert.match(await page('/jobs?kind=none'), 'No job matches these filters.');
  assert.match(await page('/jobs?side=sandbox'), 'No job has failed.');
  signIn.scopes = 'read';
  assert.not.match(await page('/jobs'), 'value="retry"');
  const jobId = (await calls.jobs.list({ kind: 'reports.export' })).data[0]?.id ?? '';
  const form = new URLSearchParams({ action: 'retry', key: 'one', jobId }).toString();
  const refusal = await ask('/jobs', formHeaders, 'POST', form);
  assert.is(refusal.status, 422);
  assert.match(refusal.text, 'Nothing was changed.');
  signIn.scopes = 'full';
  assert.is((await ask('/jobs', formHeaders, 'POST', form)).status, 303);
  const { data } = await calls.audit.list({ action: 'job.retry' });
  assert.equal(
    data.map(({ target, actor }) => [target.id, actor.kind, actor.user]),
    [[jobId, 'dashboard', 'u_ada']],
  );
  await bench.close();
});

test('requests show their route, status and key, and can be filtered by time', async () => {
  const { bench, page, signIn, ask } = await openBench();
  assert.match(await page('/requests'), 'Requests with your keys are listed here for a day');
  const { headers } = await bench.request('/v1/contacts/con_ada?fields=ada%40example.com', {});
  bench.advanceClock(2 * 3_600_000);
  await bench.request('/v1/workspace', {});
  await bench.drain();
  const all = await page('/requests');
  assert.match(all, /GET \/v1\/contacts\/\{contactId\}[\s\S]*class="pill wait">4\d\d</);
  assert.match(all, headers['X-Request-Id'] ?? 'none');
  assert.match(all, /<code class="id">key_/);
  assert.match(all, /GET \/v1\/workspace<[\s\S]*class="pill good">200</);
  assert.not.match(all, /con_ada|ada%40|ada@example/);
  const recent = await page('/requests?since=1h');
  assert.match(recent, '/v1/workspace');
  assert.not.match(recent, '/v1/contacts');
  const earlyRequests = await page('/requests?until=2026-11-20+13:00');
  assert.match(earlyRequests, '/v1/contacts');
  assert.not.match(earlyRequests, '/v1/workspace');
  assert.match(await page('/requests?until=2026-11-20'), 'No request was made in this time.');
  assert.match(await page('/requests?until=yesterday'), 'Write the time as 2026-11-20 14:00');
  signIn.scopes = ['jobs:read'];
  assert.is((await ask('/requests', browserHeaders)).status, 403);
  assert.not.match(await page('/jobs'), '/requests?');
  await bench.close();
});

test('the audit shows who changed what, links to it, and can be filtered', async () => {
  const { bench, page, signIn, calls } = await openBench();
  const { id } = await calls.contacts.upsert({ email: 'ada@example.com' });
  await bench.request('/v1/contacts', { body: { email: 'bea@example.com' } });
  const all = await page('/audit');
  assert.match(all, `contacts/${id}?side=live`);
  assert.match(all, /A key<span class="below"><code class="id">key_/);
  assert.match(all, 'The program');
  const [, key = ''] = /class="id">(key_\w+)/.exec(all) ?? [];
  const ofKey = await page(`/audit?actor=${key}`);
  assert.match(ofKey, key);
  assert.not.match(ofKey, id);
  assert.match(await page('/audit?action=contact.*&since=24h'), id);
  assert.match(await page('/audit?action=template.*'), 'No change matches these filters.');
  signIn.scopes = ['audit:read'];
  const without = await page('/audit');
  assert.not.match(without, 'href="[^"]*contacts/');
  assert.match(without, `<code class="id">${id}</code>`);
  await bench.close();
});

test.run();
