// Sample webhooks for development, and their receivers on the port of the development server: a shop that accepts every event, and
// a CRM that fails like a real receiver. Called by seed.ts for a workspace that it created itself, and by serve.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPostriderError, type Service, type Workspace } from '../../../core/index.ts';
import { actor } from '../context.ts';

const receiver = '/sample-receiver';

const samples = [
  { path: `${receiver}/shop`, description: 'Shop (sample)', events: ['send.*', 'signed_up', 'order_paid'] },
  { path: `${receiver}/crm`, description: 'CRM (sample)', events: ['signed_up', 'trial_started'] },
] as const;

/** The CRM accepts this event at its second attempt, and never accepts other events. */
const acceptedAtSecondAttempt = 'signed_up';
/** Posted to the CRM once, so that the page shows a failed delivery immediately. */
const failingEvent = 'send.bounced';

const maxSeen = 1_000;
/** The ids of the events that the CRM has received. */
const seen = new Set<string>();

function crmAnswer({ headers }: IncomingMessage): readonly [status: number, body: string] {
  const id = String(headers['webhook-id']);
  const isSecond = seen.has(id);
  if (seen.size >= maxSeen) seen.clear();
  seen.add(id);
  // The prefix of this header's name depends on the service.
  const [, event] = Object.entries(headers).find(([name]) => name.endsWith('-event')) ?? [];
  if (event !== acceptedAtSecondAttempt) return [500, 'The CRM cannot read this event.'];
  return isSecond ? [200, 'Taken.'] : [503, 'The CRM restarts. Try again.'];
}

/** Responds to posts to the receiver of the samples. Returns false for all other requests. */
export function respondToSample(request: IncomingMessage, response: ServerResponse): boolean {
  const { method, url } = request;
  if (method !== 'POST' || !samples.some(({ path }) => path === url)) return false;
  const [status, body] = url === samples[0].path ? [200, 'Taken.'] : crmAnswer(request);
  request.resume();
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(body);
  return true;
}

/** The webhook calls of the sandbox; undefined if webhooks are not composed. */
function callsOf(service: Service, workspace: Workspace) {
  if (!service.core.registry.operations.has('webhooks.create')) return undefined;
  return (service as Service<'webhooks'>).as(workspace.id, { actor, sandbox: true }).webhooks;
}

/** Creates the subscriptions once, before any event. Later starts update their URLs to the server's current port. */
export async function seedWebhooks(service: Service, workspace: Workspace, origin: string): Promise<void> {
  const webhooks = callsOf(service, workspace);
  if (webhooks === undefined) return;
  const { data } = await webhooks.list({ limit: 100 });
  try {
    for (const { path, description, events } of data.length === 0 ? samples : [])
      await webhooks.create({ url: `${origin}${path}`, description, events: [...events] });
    for (const { id, url } of data) {
      const sample = samples.find(({ path }) => path === new URL(url).pathname);
      if (sample !== undefined && url !== `${origin}${sample.path}`)
        await webhooks.update({ id, url: `${origin}${sample.path}` });
    }
  } catch (error) {
    // If the server listens on one address of a network, it cannot be its own receiver, because webhooks over http go to this
    // machine only.
    if (!isPostriderError(error, 'webhook_url_refused')) throw error;
  }
}

/** Posts a test event to the CRM, once. */
export async function sendFailingTestEvent(service: Service, workspace: Workspace): Promise<void> {
  const webhooks = callsOf(service, workspace);
  const crm = (await webhooks?.list({ limit: 100 }))?.data.find(
    ({ description }) => description === samples[1].description,
  );
  if (webhooks === undefined || crm === undefined) return;
  const { data } = await webhooks.deliveries({ id: crm.id, event_type: failingEvent, limit: 1 });
  if (data.length > 0) return;
  await webhooks.test({ webhook_id: crm.id, event: failingEvent });
  await service.drain({ budgetMs: 5_000 });
}
