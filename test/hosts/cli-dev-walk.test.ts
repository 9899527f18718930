// time-limit: 400
// A newcomer in `postrider dev`: from the start page to their own first mail, in a real browser and with the command that the page
// shows.
// full-run: browser
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { createProjectFolder, type RunningCall } from './cli-bench.ts';

const run = promisify(execFile);

async function startDev(): Promise<{ call: RunningCall; origin: string; end: () => Promise<void> }> {
  const project = await createProjectFolder();
  const call = project.start(['dev'], { env: { PORT: '0' } });
  await call.printed(/Ctrl-C stops it\./);
  const [, origin = ''] = /^ *Start page +(http:\/\/\S+)/m.exec(call.stdout) ?? [];
  const end = async () => {
    await call.stop();
    await project.remove();
  };
  return { call, origin, end };
}

const test = suiteInBrowser<{ browser: Browser }>('the first steps of a new user', {
  title: 'the server returns the start page',
  async run() {
    const { origin, end } = await startDev();
    assert.is((await fetch(origin)).status, 200);
    await end();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

test('the command of the start page sends a mail, which is in the inbox and among the sends of the console', async ({
  browser,
}) => {
  const { origin, end } = await startDev();
  const { page, pageErrors } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  await page.goto(origin);
  assert.equal(await accessibilityViolations(page), []);
  const command = await page.locator('#command').innerText();
  const { stdout } = await run('sh', ['-c', command]);
  assert.match(stdout, /^HTTP\/1\.1 202 /);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByText('ada@example.com').first().click();
  await page.waitForURL(/\/inbox\/m\//);
  await page.goto(origin);
  await page.getByRole('link', { name: 'Console' }).click();
  await page.locator('.rail').getByRole('link', { name: 'Sends', exact: true }).click();
  await page.locator('main').getByText('ada@example.com').first().waitFor();
  await page.locator('main tbody a.name').first().click();
  await page.getByText('The mailbox of ada@example.com accepted it.').waitFor();
  // The inbox asks for new mails until the browser leaves it.
  assert.equal(
    pageErrors.filter((error) => !/\/inbox\/messages\S* failed$/.test(error)),
    [],
  );
  await page.context().close();
  await end();
});

test.run();
