// A marketer sends a broadcast to a list only with the console, without code: from the template to the report.
// time-limit: 240
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { openBroadcastsBench } from '../support/broadcasts-console-bench.ts';
import { browserHeaders } from '../support/console-bench.ts';
import { visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const test = suiteInBrowser<{ browser: Browser }>('a marketer at work in the console', {
  title: 'the server returns the page',
  async run() {
    const { bench, ask } = await openBroadcastsBench();
    assert.match((await ask('/broadcasts', browserHeaders)).text, 'New broadcast');
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

test('a person makes a broadcast from a template and a list, confirms the schedule, and reads the report', async ({
  browser,
}) => {
  const { bench, settle } = await openBroadcastsBench();
  await visitUnderBasePath(browser, bench, { viewport: { width: 320, height: 900 } }, async (visit) => {
    const { page, origin, pageErrors } = visit;
    const main = page.locator('main');
    await page.goto(`${origin}/console/${bench.workspaceId}/broadcasts`);
    await main.getByText('New broadcast').click();
    await main.getByLabel('Name, for your team').fill('Spring <news>');
    await main.getByLabel('Template').selectOption('news');
    await main.getByLabel('Audience').selectOption({ label: 'List: Readers' });
    assert.ok((await inPage<number>(page, overflow)) <= 0);
    assert.equal(await accessibilityViolations(page), []);
    await main.getByRole('button', { name: 'Save the draft' }).click();
    await main.getByText('The draft was saved.').waitFor();
    await main.getByRole('link', { name: 'Spring <news>' }).click();
    await main.getByText('Schedule', { exact: true }).click();
    await main.getByText('“Spring <news>” goes to the list “Readers” (40 members).').waitFor();

    await main.getByLabel('Time in UTC').fill('tomorrow');
    await main.getByRole('button', { name: 'Schedule the broadcast' }).click();
    await main.getByText(/^Nothing was changed\. .*Give a time such as/).waitFor();
    // The refused form is open and keeps its values.
    assert.is(await main.getByLabel('Time in UTC').inputValue(), 'tomorrow');
    await main.getByLabel('Time in UTC').fill('');
    await main.getByRole('button', { name: 'Schedule the broadcast' }).click();
    await main.getByText('The broadcast is scheduled, or waits for a decision.').waitFor();
    await settle();
    await page.reload();
    await main.getByRole('table', { name: 'What became of the audience' }).waitFor();
    assert.match(await main.innerText(), /Accepted\s+39/);
    // The refused time was the only error.
    assert.equal(
      pageErrors.filter((text) => !text.includes('422')),
      [],
    );
  });
});

test('a person who may only read broadcasts sees no form', async () => {
  const { bench, page, signIn, draft } = await openBroadcastsBench();
  const path = `/broadcasts/${await draft('News')}`;
  assert.match(await page(path), 'Schedule the broadcast');
  signIn.scopes = ['broadcasts:read'];
  assert.not.match(await page('/broadcasts'), 'New broadcast');
  assert.not.match(await page(path), 'Schedule the broadcast');
  await bench.close();
});

test.run();
