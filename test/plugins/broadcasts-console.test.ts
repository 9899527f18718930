// time-limit: 300
// The pages of broadcasts and of the reputation in the console: figures, words, actions, and their appearance in a real browser, in
// light, dark and narrow. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { openBroadcastsBench as openBench, readers } from '../support/broadcasts-console-bench.ts';
import { browserHeaders } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';
import { pageRequester } from '../support/page-requester.ts';

/** The captions of tables that are wider than their container. */
const cutTables =
  "[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth).map((table) => table.caption.textContent)";
/** Pictures that the browser did not draw. */
const unseenPictures = '[...document.images].filter((image) => !image.complete || image.naturalWidth < 200).length';

const test = suiteInBrowser<{ browser: Browser }>('the pages of broadcasts', {
  title: 'the server returns the page',
  async run() {
    const { bench, ask } = await openBench();
    assert.is((await ask('/broadcasts', browserHeaders)).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const [colorScheme, widths] of [
  ['light', [1280, 820, 320]],
  ['dark', [1280]],
] as const)
  test(`in ${colorScheme} the keyboard leads from the list to the recipients, at ${widths.join(', ')} px`, async ({
    browser,
  }) => {
    const { bench, sent, draft } = await openBench();
    await sent('<i>Spring</i> news');
    await draft('Summer news');
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/console/${bench.workspaceId}/broadcasts`);
        const check = async (step: string) => {
          assert.equal(await inPage(page, lowContrastTexts), [], step);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${step} at ${width} px`);
          assert.equal(await inPage(page, cutTables), [], `${step} at ${width} px`);
          assert.equal(await accessibilityViolations(page), [], step);
          await saveScreenshot(page, `broadcasts-${step}-${colorScheme}-${width}`);
        };
        const follow = async (name: string | RegExp, heading: string) => {
          await page.locator('main').getByRole('link', { name }).first().focus();
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        };
        await check('list');
        await follow('<i>Spring</i> news', '<i>Spring</i> news');
        await until(page, 'document.images.length === 3');
        for (const image of await page.locator('.chart img').all()) await image.scrollIntoViewIfNeeded();
        await until(page, `${unseenPictures} === 0`);
        await page.locator('main summary').filter({ hasText: 'The figures' }).first().focus();
        await page.keyboard.press('Enter');
        await page.getByRole('table', { name: 'By hour' }).waitFor();
        await check('report');
        await follow(/^Left out 1/, 'Recipients');
        assert.match(await page.locator('table').innerText(), /reader5@example\.com[\s\S]*Unsubscribed from marketing/);
        await check('recipients');
        await page.goto(`${origin}/console/${bench.workspaceId}/reputation`);
        await check('reputation');
      }
      assert.equal(pageErrors, []);
    });
  });

test('an operator sees that marketing mail is held, and releases it with a note', async ({ browser }) => {
  const { bench, hold, calls } = await openBench();
  await hold();
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await page.goto(`${origin}/console/${bench.workspaceId}/broadcasts`);
    await page.getByRole('link', { name: 'See what to do' }).click();
    await page.getByText('Marketing mail is held, and broadcasts are paused.').waitFor();
    await page.locator('summary').getByText('Release marketing mail').click();
    await page.getByLabel('What was wrong, and what you changed').fill('The imported list is deleted.');
    await page.getByRole('button', { name: 'Release marketing mail' }).click();
    await page.getByText('Marketing mail was released.').waitFor();
    await page.getByText('Marketing mail goes on.').waitFor();
    await saveScreenshot(page, 'reputation-released');
    assert.equal(pageErrors, []);
    const { state, history } = await calls.reputation.read();
    assert.equal([state, history[0]?.by, history[0]?.note], ['ok', 'u_ada', 'The imported list is deleted.']);
  });
});

/** The row with this heading and this number. */
const row = (name: string, number: number) =>
  new RegExp(`>${name}(?:</a>)?</span></td><td [^>]*><span>${number}</span></td>`);

test('the report shows the figures of the broadcast and the reasons of exclusions, and escapes its texts', async () => {
  const { bench, page, sent, calls, signIn } = await openBench();
  const broadcastId = await sent('<i>Spring</i> news');
  const { counts } = await calls.broadcasts.read({ broadcastId });
  assert.ok(counts.opened > 5 && counts.clicked > 3 && counts.bounced === 1 && counts.complained === 1);
  const list = await page('/broadcasts');
  assert.match(list, '&lt;i&gt;Spring&lt;/i&gt; news');
  assert.match(list, `data-head="Recipients" class="n"><span>${readers - 1}</span></td>`);
  assert.match(list, `data-head="Opened" class="n"><span>${counts.opened}</span></td>`);
  const text = await page(`/broadcasts/${broadcastId}`);
  assert.match(text, row('Audience', readers));
  assert.match(text, row('Left out', 1));
  assert.match(text, row('Accepted', readers - 1));
  assert.match(text, row('Unsubscribed from marketing mail, bounced, or complained', 1));
  for (const fact of ['Opened', 'Clicked', 'Bounced', 'Complained', 'Unsubscribed'] as const)
    assert.match(text, row(fact, counts[fact.toLowerCase() as 'opened']));
  assert.match(text, 'https://shop.example/chairs?a=1&amp;b=&lt;2&gt;');
  assert.match(text, 'example.org');
  assert.match(text, 'templates/news?side=live');
  assert.is(text.match(/src="data:image\/svg\+xml;base64,/g)?.length, 3);
  const [, hours = ''] = /base64,([^"]+)"/.exec(text) ?? [];
  assert.match(Buffer.from(hours, 'base64').toString(), /^<svg [^>]*role="img"/);
  const { data } = await calls.broadcasts.recipients({ broadcastId, status: 'accepted', limit: 1 });
  const people = await page(`/broadcasts/${broadcastId}/recipients?status=accepted`);
  assert.match(people, 'reader0@example.org');
  assert.not.match(people, 'reader5@example.com');
  assert.match(people, `contacts/${data[0]?.contactId}?side=live`);
  assert.match(people, `sends/${data[0]?.sendId}?side=live`);
  const suppressed = await page(`/broadcasts/${broadcastId}/recipients?status=excluded&reason=suppressed`);
  assert.match(suppressed, /Only this reason: Unsubscribed[\s\S]*reader5@example\.com/);
  assert.match(
    await page(`/broadcasts/${broadcastId}/recipients?status=failed`),
    'No recipient matches these filters.',
  );
  signIn.scopes = ['broadcasts:read'];
  const without = await page(`/broadcasts/${broadcastId}/recipients`);
  assert.match(without, 'Not for your role');
  assert.not.match(without, /@example|sends\/snd|contacts\/con/);
  assert.not.match(await page(`/broadcasts/${broadcastId}`), 'templates/news');
  await bench.close();
});

test('the variants of an experiment are shown as a chart and as a table', async () => {
  const { bench, page, sent, calls } = await openBench();
  const variants = [{ name: '<b>Short</b>' }, { name: 'Long', subject: 'All the news of this spring' }];
  const experiment = { variants, samplePercent: 100, metric: 'human_opens', decideAfter: 'PT1H', minimum: 5 };
  const broadcastId = await sent('Spring news', { experiment });
  const { byVariant } = await calls.broadcasts.report({ broadcastId });
  assert.is(
    byVariant.reduce((sum, { accepted }) => sum + accepted, 0),
    readers - 1,
  );
  const text = await page(`/broadcasts/${broadcastId}`);
  assert.match(text, '&lt;b&gt;Short&lt;/b&gt;');
  assert.not.match(text, '<b>Short</b>');
  const [first = '', ...others] = [...text.matchAll(/base64,([^"]+)"/g)].map(([, picture = '']) =>
    Buffer.from(picture, 'base64').toString(),
  );
  assert.is(others.length, 3);
  for (const { variant, accepted, opened, clicked } of byVariant) {
    const escapedName = variant.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    assert.ok(accepted > opened && opened > 0);
    assert.match(first, `${escapedName}: ${opened} of ${accepted}`);
    assert.match(first, `>${Number(((opened / accepted) * 100).toFixed(2))} %<`);
    const cells = text.slice(text.indexOf('<caption>By variant')).split('</tr>');
    const row = cells.find((one) => one.includes(`>${escapedName}</span></span></td>`)) ?? '';
    for (const [head, number] of [
      ['Accepted', accepted],
      ['Opened', opened],
      ['Clicked', clicked],
    ])
      assert.match(row, `data-head="${head}" class="n"><span>${number}</span></td>`);
  }
  await bench.close();
});

test('the page of a draft, a scheduled, a paused and a waiting broadcast says what to do next', async () => {
  const { bench, page, draft, calls, settle } = await openBench();
  const pageOf = (broadcastId: string) => page(`/broadcasts/${broadcastId}`);
  assert.match(await page('/broadcasts'), 'A broadcast is one mail to the members of lists');
  const empty = await calls.broadcasts.create({ name: 'Idea' });
  const idea = await pageOf(empty.broadcastId);
  assert.match(
    idea,
    />Draft<[\s\S]*<dt>Template<\/dt><dd dir="auto">None yet<[\s\S]*<dt>Audience<\/dt><dd dir="auto">None yet</,
  );
  assert.not.match(idea, '<form method="post"');
  const later = await draft('Later', { sendAt: '2026-06-01T09:00', timezone: 'Europe/Vienna' });
  await calls.broadcasts.schedule({ broadcastId: later });
  assert.match(await pageOf(later), />Scheduled<[\s\S]*2026-06-01 09:00 Europe\/Vienna/);
  const slow = await draft('Slow', { pace: { perHour: 60 } });
  await calls.broadcasts.schedule({ broadcastId: slow });
  await settle();
  await calls.broadcasts.pause({ broadcastId: slow });
  assert.match(await pageOf(slow), />Paused<[\s\S]*Somebody paused it/);
  await calls.approvals.policySet({ surfaceKind: 'broadcast', required: true });
  const heldDraft = await draft('Held');
  const scheduleAnswer = await bench.request(`/v1/broadcasts/${heldDraft}/schedule`, { body: {} });
  assert.is(scheduleAnswer.status, 202);
  assert.match(await pageOf(heldDraft), 'It waits for a decision');
  assert.match(await page('/broadcasts'), 'Waits for a decision');
  await bench.close();
});

test('a person pauses, resumes and cancels a broadcast, and each form says how many recipients it affects', async () => {
  const { bench, page, act, draft, calls, settle, signIn, hold } = await openBench();
  const broadcastId = await draft('<b>Slow</b>', { pace: { perHour: 60 } });
  await calls.broadcasts.schedule({ broadcastId });
  await settle();
  const path = `/broadcasts/${broadcastId}`;
  const status = async () => (await calls.broadcasts.read({ broadcastId })).status;
  const { waiting, accepted } = (await calls.broadcasts.read({ broadcastId })).counts;
  assert.ok(waiting > 30 && accepted > 0);
  assert.match(await page(path), `“&lt;b&gt;Slow&lt;/b&gt;” stops: no mail goes to ${waiting} recipients`);
  assert.match((await act(path, 'pause')).text, 'The broadcast was paused.');
  assert.is(await status(), 'paused');
  assert.match(await page(path), `its mail goes to ${waiting} recipients`);
  assert.match((await act(path, 'resume')).text, 'The broadcast continues');
  assert.is(await status(), 'sending');
  await calls.broadcasts.pause({ broadcastId });
  await hold();
  const whileHeld = await page(path);
  assert.match(whileHeld, 'value="cancel"');
  assert.not.match(whileHeld, 'value="resume"');
  assert.match((await act(path, 'cancel')).text, 'The broadcast was canceled.');
  assert.is(await status(), 'canceled');
  const { data } = await calls.audit.list({ action: 'broadcast.*' });
  const byAda = data.filter(({ actor }) => actor.kind === 'dashboard' && actor.user === 'u_ada');
  assert.equal(byAda.map(({ action }) => action).sort(), ['broadcast.cancel', 'broadcast.pause', 'broadcast.resume']);
  const other = await draft('Other', { sendAt: '2026-06-01T09:00:00Z' });
  await calls.broadcasts.schedule({ broadcastId: other });
  signIn.scopes = 'read';
  assert.not.match(await page(`/broadcasts/${other}`), 'name="action"');
  await bench.close();
});

test('a broadcast above its ceiling can be resumed with a higher ceiling', async () => {
  const { bench, page, act, draft, calls, settle, listId } = await openBench();
  const broadcastId = await draft('News', { sendAt: '2026-05-20T13:00:00Z' });
  await calls.broadcasts.schedule({ broadcastId, ceiling: readers });
  const { id } = await calls.contacts.upsert({ email: 'late@example.com' });
  await calls.lists.membersAdd({ listId, contactIds: [id] });
  bench.advanceClock(3_600_000);
  await settle();
  const path = `/broadcasts/${broadcastId}`;
  assert.match(await page(path), `The audience has ${readers + 1} contacts, the ceiling is ${readers}.`);
  assert.match(await page(path), `name="ceiling" value="${readers + 1}"`);
  const refusal = await act(path, 'resume', { ceiling: '11' });
  assert.is(refusal.status, 422);
  assert.match(refusal.text, 'Give a higher ceiling.');
  await act(path, 'resume', { ceiling: String(readers + 1) });
  await settle();
  assert.is((await calls.broadcasts.read({ broadcastId })).status, 'sent');
  await bench.close();
});

test('while marketing mail is held, pages of broadcasts give the reason and link to the release', async () => {
  const { bench, page, act, sent, hold, signIn } = await openBench();
  const broadcastId = await sent('Spring news');
  assert.not.match(await page('/broadcasts'), 'Marketing mail is held');
  assert.match(await page('/reputation'), 'Marketing mail goes on.');
  assert.not.match(await page('/reputation'), 'name="action"');
  await hold();
  for (const path of ['/broadcasts', `/broadcasts/${broadcastId}`])
    assert.match(
      await page(path),
      /Marketing mail is held\. <a [\s\S]*Hard bounces in 1 hour: 30 of 100 mails\./,
      path,
    );
  const held = await page('/reputation');
  assert.match(held, />Held<[\s\S]*Then release marketing mail with a note/);
  assert.match(held, 'data-head="By"><span>The guard</span>');
  assert.match(held, '/broadcasts?side=live&amp;status=paused');
  const empty = await act('/reputation', 'release', { note: ' ' });
  assert.is(empty.status, 422);
  assert.match(empty.text, 'Nothing was changed.');
  signIn.scopes = ['sends:read'];
  assert.not.match(await page('/reputation'), 'name="action"');
  assert.match(await page('/reputation?side=sandbox'), 'only the live side has a reputation');
  await bench.close();
});

test('the list can be filtered by status, and has pages', async () => {
  const { bench, ask, page, draft, calls } = await openBench();
  for (let number = 0; number < 53; number += 1) {
    bench.advanceClock(1_000);
    await draft(`Letter ${number}`);
  }
  const later = await draft('Later', { sendAt: '2026-06-01T09:00:00Z' });
  await calls.broadcasts.schedule({ broadcastId: later });
  const namesIn = (text: string) =>
    [...text.matchAll(/class="name" dir="auto" href="[^"]*broadcasts\/brc_[^"]*">([^<]+)</g)].map(([, name]) => name);
  const first = await page('/broadcasts');
  assert.equal([namesIn(first).length, namesIn(first)[0]], [50, 'Later']);
  const [, cursor = ''] = /rel="next" href="[^"]*cursor=([^"]+)"/.exec(first) ?? [];
  const second = await page(`/broadcasts?cursor=${cursor}`);
  assert.equal(namesIn(second), ['Letter 3', 'Letter 2', 'Letter 1', 'Letter 0']);
  assert.match(second, '>Newest</a>');
  assert.equal(namesIn(await page('/broadcasts?status=scheduled')), ['Later']);
  assert.match(await page('/broadcasts?status=paused'), 'No broadcast has this state.');
  assert.is((await ask('/broadcasts?cursor=x', browserHeaders)).status, 400);
  await bench.close();
});

test('no page shows a broadcast of another workspace or of the other side, and the old address redirects to the new page', async () => {
  const { bench, ask, draft, page } = await openBench();
  const broadcastId = await draft('Spring news');
  const foreign = pageRequester(bench.service, `/console/${bench.foreignWorkspaceId}`);
  for (const path of [`/broadcasts/${broadcastId}`, `/broadcasts/${broadcastId}/recipients`]) {
    assert.is((await foreign(path, browserHeaders)).status, 404);
    assert.is((await ask(`${path}?side=sandbox`, browserHeaders)).status, 404);
  }
  assert.not.match((await foreign('/broadcasts', browserHeaders)).text, 'Spring news');
  assert.not.match(await page('/broadcasts?side=sandbox'), 'Spring news');
  const at = `workspace=${bench.workspaceId}&side=live`;
  const follow = async (from: string) => {
    const url = new URL(from, 'http://localhost');
    const answer = await pageRequester(bench.service, url.pathname)(url.search, browserHeaders);
    assert.is(answer.status, 303, from);
    return new URL(answer.headers['Location'] ?? '', url).href;
  };
  const locationOf = async (rest: string) => {
    const { pathname, search } = new URL(await follow(await follow(`/broadcasts-console?${at}${rest}`)));
    return `${pathname}${search}`;
  };
  const below = `/console/${bench.workspaceId}`;
  assert.is(await locationOf(''), `${below}/broadcasts?side=live`);
  assert.is(await locationOf('&status=paused'), `${below}/broadcasts?side=live&status=paused`);
  assert.is(await locationOf('&view=reputation'), `${below}/reputation?side=live`);
  assert.is(await locationOf(`&broadcast=${broadcastId}`), `${below}/broadcasts/${broadcastId}?side=live`);
  const people = `${below}/broadcasts/${broadcastId}/recipients?side=live`;
  assert.is(await locationOf(`&broadcast=${broadcastId}&recipients=all`), people);
  assert.is(await locationOf(`&broadcast=${broadcastId}&recipients=failed`), `${people}&status=failed`);
  await bench.close();
});

test.run();
