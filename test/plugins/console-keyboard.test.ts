// The main tasks of the console by keyboard alone, in a real browser: nothing is clicked, and every control is reached with the Tab key.
// time-limit: 400
// full-run: browser
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { openBroadcastsBench } from '../support/broadcasts-console-bench.ts';
import { browserHeaders } from '../support/console-bench.ts';
import { visitUnderBasePath } from '../support/console-visit.ts';
import { inPage } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

type Bench = Awaited<ReturnType<typeof openBroadcastsBench>>;

const test = suiteInBrowser<{ browser: Browser }>('the console by keyboard', {
  title: 'the server returns the pages',
  async run() {
    const { bench, ask } = await openBroadcastsBench();
    assert.is((await ask('/contacts', browserHeaders)).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

/** The visible name of the focused control: its label, its text or its value. */
const focusedName = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return '';
  const label = at.labels?.[0]?.querySelector('span')?.textContent ?? at.labels?.[0]?.textContent;
  return (at.getAttribute('aria-label') ?? label ?? at.textContent ?? '').replace(/\\s+/g, ' ').trim();
})()`;

/** The maximum number of controls between two steps of a task. */
const maxTabs = 160;

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const met: string[] = [];
  for (let presses = 0; presses < maxTabs; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await inPage<string>(page, focusedName);
    if (found === name) return;
    met.push(found);
  }
  throw new Error(`Tab leads to no “${name}”, only to: ${[...new Set(met)].join(' | ')}`);
}

/** Goes to the content, past the navigation, with the link that skips it. */
async function skip(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  assert.is(await inPage<string>(page, focusedName), 'Skip to the content');
  await page.keyboard.press('Enter');
}

const press = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

const write = async (page: Page, name: string, text: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.type(text);
};

/** Chooses in a list by the first letters of a choice. */
const choose = write;

interface Task {
  readonly title: string;
  readonly path: (open: Bench) => Promise<string> | string;
  readonly work: (page: Page) => Promise<void>;
  /** A text that the last page of the task must contain. */
  readonly end: string;
}

const tasks: readonly Task[] = [
  {
    title: 'find a person and learn whether mail reaches them',
    path: () => 'templates',
    async work(page) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('reader5@example.com');
      await page.getByRole('dialog').getByRole('link', { name: 'reader5@example.com' }).first().waitFor();
      await page.keyboard.press('Enter');
    },
    end: 'suppressed',
  },
  {
    title: 'put an address on the list of suppressions',
    path: () => 'suppressions',
    async work(page) {
      await skip(page);
      await press(page, 'Suppress an address');
      await write(page, 'Address', 'gone@example.com');
      await page.keyboard.press('Enter');
    },
    end: 'gone@example.com',
  },
  {
    title: 'import contacts',
    path: () => 'contacts/import',
    async work(page) {
      await skip(page);
      await write(page, 'The text of the file', 'email,plan\nnew@example.com,pro\n');
      await press(page, 'Check the file');
      await page.getByText('Nothing has been changed yet.').waitFor();
      await press(page, 'Import 1 row');
    },
    end: 'Import of contacts',
  },
  {
    title: 'build a segment',
    path: () => 'segments/new',
    async work(page) {
      await skip(page);
      await choose(page, 'A condition about', 'Address');
      await press(page, 'Add the condition');
      await page.getByText('One condition is not complete').waitFor();
      await page.locator('[name="g0c0.op"]:focus').waitFor();
      await page.keyboard.type('beg');
      await write(page, 'Value (several: one a line)', 'reader1');
      await page.getByText('11 contacts now.').waitFor();
      await write(page, 'Name', 'Ones');
      await press(page, 'Create the segment');
    },
    end: 'Contacts where the address begins with “reader1”.',
  },
  {
    title: 'make a draft of a broadcast',
    path: () => 'broadcasts',
    async work(page) {
      await skip(page);
      await press(page, 'New broadcast');
      await write(page, 'Name, for your team', 'By keyboard');
      await press(page, 'Save the draft');
    },
    end: 'The draft was saved.',
  },
  {
    title: 'schedule a broadcast',
    path: async ({ draft }) => `broadcasts/${await draft('Now')}`,
    async work(page) {
      await skip(page);
      await press(page, 'Schedule');
      await press(page, 'Schedule the broadcast');
    },
    end: 'The broadcast is scheduled, or waits for a decision.',
  },
  {
    title: 'publish a template',
    async path({ calls }) {
      await calls.templates.update({ key: 'news', subject: 'Other news' });
      return 'templates/news';
    },
    async work(page) {
      await skip(page);
      await press(page, 'Publish');
      await press(page, 'Publish the template');
    },
    end: 'Done: the template is published',
  },
  {
    title: 'create a webhook',
    path: () => 'webhooks',
    async work(page) {
      await skip(page);
      await press(page, 'Create a webhook');
      await write(page, 'Address (https)', 'https://shop.example/hook');
      await write(page, 'Events, separated by commas', 'send.*');
      await press(page, 'Create the webhook');
    },
    end: 'Store the secret in the receiver now.',
  },
  {
    title: 'check the DNS records of a domain',
    async path({ bench }) {
      await bench.service.domains.create(bench.workspaceId, { domain: 'mail.acme.example' });
      return 'domains/mail.acme.example';
    },
    async work(page) {
      await skip(page);
      await press(page, 'Check now');
    },
    end: 'its DKIM record was not found',
  },
  {
    title: 'release marketing mail that is held',
    async path({ hold }) {
      await hold();
      return 'reputation';
    },
    async work(page) {
      await skip(page);
      await press(page, 'Release marketing mail');
      await write(page, 'What was wrong, and what you changed', 'The list was cleaned.');
      await press(page, 'Release marketing mail');
    },
    end: 'Marketing mail was released.',
  },
];

for (const { title, path, work, end } of tasks)
  test(title, async ({ browser }) => {
    const open = await openBroadcastsBench();
    const { bench } = open;
    const address = await path(open);
    await visitUnderBasePath(browser, bench, { viewport: { width: 1280, height: 900 } }, async ({ page, origin }) => {
      await page.goto(`${origin}/console/${bench.workspaceId}/${address}`);
      await work(page);
      await page.locator('main').getByText(end).first().waitFor();
    });
  });

test.run();
