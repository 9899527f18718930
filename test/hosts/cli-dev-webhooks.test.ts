// time-limit: 120
// The sample webhooks of `postrider dev`: real deliveries to a receiver in the server, in each state, and after a start on another port.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProjectFolder, type ProjectFolder, type RunningCall } from './cli-bench.ts';

const test = suite<{ project: ProjectFolder }>('the sample webhooks of postrider dev');

test.before.each(async (context) => {
  context.project = await createProjectFolder();
});

test.after.each(({ project }) => project.remove());

async function start(project: ProjectFolder): Promise<{ readonly call: RunningCall; readonly origin: string }> {
  const call = project.start(['dev', '--json'], { env: { PORT: '0' } });
  const { url } = JSON.parse(await call.printed(/^\{.*\}$/m)) as { url: string };
  return { call, origin: url };
}

/** The sample webhooks with their deliveries, as the pages of webhooks in the console show them. */
async function webhooksIn(origin: string) {
  const readPage = async (address: string) => {
    const answer = await fetch(address, { headers: { accept: 'text/html' } });
    return { url: answer.url, text: await answer.text() };
  };
  const list = await readPage(`${origin}/webhooks-console?side=sandbox`);
  const rows = list.text.matchAll(/href="([^"]+)">([^<]+)<\/a><span class="below">([^<]+)</g);
  return Promise.all(
    [...rows].map(async ([, href = '', description, url = '']) => {
      const { text } = await readPage(new URL(href, list.url).href);
      const deliveries = text.matchAll(/\/deliveries\/dlv_[^"]+">([^<]+)<.*?<span class="pill \w+">(\w+)</g);
      return {
        url,
        description,
        states: [...new Set([...deliveries].map(([, type, state]) => `${type} ${state}`))].sort(),
      };
    }),
  );
}

test('the page of webhooks shows deliveries that arrived, that are retried and that were given up', async ({
  project,
}) => {
  const { call, origin } = await start(project);
  const [crm, shop] = await webhooksIn(origin);
  assert.is(shop?.description, 'Shop (sample)');
  assert.ok(shop?.states.includes('send.delivered Delivered'), String(shop?.states));
  assert.is(crm?.url, `${origin}/sample-receiver/crm`);
  const [bounced, first, trial] = crm?.states ?? [];
  assert.equal([bounced, trial?.replace('Retrying', 'Waiting')], ['send.bounced Failed', 'trial_started Waiting']);
  // The second attempt comes some seconds after the first.
  assert.match(first ?? '', /^signed_up (Waiting|Retrying|Delivered)$/);
  await call.stop();
  const second = await start(project);
  const secondWebhooks = await webhooksIn(second.origin);
  assert.equal(
    secondWebhooks.map(({ url }) => url),
    ['crm', 'shop'].map((name) => `${second.origin}/sample-receiver/${name}`),
    'the URLs follow the port of the server',
  );
});

test.run();
