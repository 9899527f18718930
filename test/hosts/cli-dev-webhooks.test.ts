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

/** The sample webhooks with their deliveries, as the page of webhooks reads them. */
async function webhooksIn(origin: string) {
  const read = async (path: string) => {
    const answer = await fetch(`${origin}/webhooks-console/${path}`);
    return ((await answer.json()) as { data: Record<string, string>[] }).data;
  };
  const [workspace] = await read('workspaces');
  const workspaceQuery = `workspace=${workspace?.['id']}`;
  const webhooks = await read(`webhooks?${workspaceQuery}`);
  return Promise.all(
    webhooks.map(async ({ id, url, description }) => {
      const deliveries = await read(`webhooks/${id}/deliveries?${workspaceQuery}`);
      const states = deliveries.map(({ event_type: type, status }) => `${type} ${status}`);
      return { url: url ?? '', description, states: [...new Set(states)].sort() };
    }),
  );
}

test('the page of webhooks shows deliveries that arrived, that are retried and that were given up', async ({
  project,
}) => {
  const { call, origin } = await start(project);
  const [crm, shop] = await webhooksIn(origin);
  assert.is(shop?.description, 'Shop (sample)');
  assert.ok(shop?.states.includes('send.delivered delivered'), String(shop?.states));
  assert.is(crm?.url, `${origin}/sample-receiver/crm`);
  const [bounced, first, trial] = crm?.states ?? [];
  assert.equal([bounced, trial], ['send.bounced failed', 'trial_started pending']);
  // The second attempt comes some seconds after the first.
  assert.match(first ?? '', /^signed_up (pending|delivered)$/);
  await call.stop();
  const second = await start(project);
  const again = await webhooksIn(second.origin);
  assert.equal(
    again.map(({ url }) => url),
    ['crm', 'shop'].map((name) => `${second.origin}/sample-receiver/${name}`),
    'they follow the port of the server',
  );
});

test.run();
