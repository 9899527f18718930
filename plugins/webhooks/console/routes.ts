// The routes of the console. Each route checks access first, then serves one workspace that the caller may see.
import {
  decodeCursor,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type TenantRows,
  toIsoTime,
  toIsoTimeOrNull,
  toPage,
  type Workspace,
  type WorkspaceHandle,
  z,
} from '../../../core/index.ts';
import {
  checkInput,
  eventText,
  fileGate,
  findEvent,
  findRawFault,
  type Gate,
  hiddenWithoutSignIn,
  jsonAnswer,
  type PageAccess,
  type PageOptions,
  pageRoute,
  pageRoutes,
  plainAnswer,
  queryOf,
  reachWorkspace,
  visibleWorkspaces,
} from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { presentDelivery, presentWebhook } from '../present.ts';
import { deliveryStatus } from '../schema.ts';
import { deliveryRows, likeEvent, webhookRows } from '../store.ts';
import type { DeliveryRow, WebhookRow } from '../tables.ts';
import { createGate } from './gate.ts';
import type { ConsoleDelivery, ConsoleWebhook, DeliveryList, WebhookList, WorkspaceList } from './wire.ts';

/** The first segment of the path, which the audit also shows. */
const name = 'webhooks-console';

const maxWorkspaces = 200;
/** The subscriptions of both sides. Each side has at most 50. */
const maxWebhooks = 100;
const pageSize = 25;

const place = { workspace: z.string().min(1).max(100) };
const placeQuery = z.strictObject(place);
const deliveriesQuery = z.strictObject({
  ...place,
  status: deliveryStatus.optional(),
  /** A part of the event's name. */
  event: z.string().trim().min(1).max(200).optional(),
  cursor: z.string().min(1).max(500).optional(),
});

const presentHealth = (row: WebhookRow): ConsoleWebhook => ({
  ...presentWebhook(row),
  failing_since: toIsoTimeOrNull(row.failing_since),
});

const presentTried = (row: DeliveryRow): ConsoleDelivery => ({
  ...presentDelivery(row),
  created_at: toIsoTime(row.created_at),
});

/** An id that no row has. */
const noId = 'none';

/** The id in the path. Replaced by `noId` if no database accepts the text. */
function idIn({ params: { id = noId } }: PublicRequest): string {
  return findRawFault(id) === undefined ? id : noId;
}

type SidedRows = Pick<TenantRows<{ readonly sandbox: boolean }>, 'find'>;

type Reached = { readonly workspace: Workspace; readonly id: string };

/** The workspace that the query names, and the id in the path. @throws workspace_not_found */
async function reach(context: PublicRouteContext, request: PublicRequest, access: PageAccess): Promise<Reached> {
  const { workspace } = checkInput(placeQuery, queryOf(request));
  return { workspace: await reachWorkspace(context, access, workspace), id: idIn(request) };
}

const bothSidesOf = (handle: WorkspaceHandle): WorkspaceHandle =>
  handle.bothSides('the console shows the webhooks of both sides');

/** Typed calls on the side of the row that the path names. A deleted row leads to a not-found error. */
async function callsFor(context: PublicRouteContext, { workspace, id }: Reached, rows: SidedRows) {
  const row = await context.read(workspace.id, ({ trx }) => rows.find(bothSidesOf(trx), id));
  return { ...context.calls(workspace.id, name, { sandbox: row?.sandbox ?? false }), id };
}

const listOfWorkspaces = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/workspaces', description: 'The workspaces whose webhooks the caller may see.' },
    async (context, request, access) => {
      checkInput(z.strictObject({}), queryOf(request));
      const visible = await visibleWorkspaces(context, access, maxWorkspaces + 1);
      const answer: WorkspaceList = {
        service: { name: context.ports.service.name },
        data: visible.slice(0, maxWorkspaces).map(({ id, name }) => ({ id, name })),
        has_more: visible.length > maxWorkspaces,
      };
      return jsonAnswer(request, answer);
    },
  );

const listOfWebhooks = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/webhooks', description: 'The webhooks of a workspace, and how they are.' },
    async (context, request, access) => {
      const { workspace } = await reach(context, request, access);
      const rows = await context.read(workspace.id, ({ trx }) =>
        webhookRows.page(bothSidesOf(trx), { limit: maxWebhooks }),
      );
      const answer: WebhookList = { data: rows.map(presentHealth) };
      return jsonAnswer(request, answer);
    },
  );

const listOfDeliveries = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/webhooks/{id}/deliveries', description: 'The deliveries of a webhook.' },
    async (context, request, access) => {
      const query = checkInput(deliveriesQuery, queryOf(request));
      const workspace = await reachWorkspace(context, access, query.workspace);
      const id = idIn(request);
      const list = `webhooks_console:${id}`;
      const after = decodeCursor(list, query.cursor);
      const rows = await context.read(workspace.id, async ({ trx }) => {
        const webhook = await webhookRows.find(bothSidesOf(trx), id);
        if (webhook === undefined) throw errors.webhook_not_found({ id: id.slice(0, 100) });
        return deliveryRows.page(trx.onSide(webhook.sandbox), {
          where: { webhook_id: id, status: query.status },
          conditions: query.event === undefined ? undefined : likeEvent(query.event),
          after,
          limit: pageSize + 1,
        });
      });
      const answer: DeliveryList = toPage(list, rows, pageSize, deliveryRows.position, presentTried);
      return jsonAnswer(request, answer);
    },
  );

const bodyOfDelivery = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/deliveries/{id}/body', description: 'The body of a delivery, as it is sent.' },
    async (context, request, access) => {
      const { workspace, id } = await reach(context, request, access);
      const event = await context.read(workspace.id, async ({ trx }) => {
        const handle = bothSidesOf(trx);
        const delivery = await deliveryRows.find(handle, id);
        return delivery === undefined ? undefined : findEvent(handle, delivery.event_id);
      });
      if (event === undefined) throw errors.webhook_delivery_not_found({ id: id.slice(0, 100) });
      return plainAnswer('text/plain; charset=utf-8', eventText(event));
    },
  );

const replay = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'POST /webhooks-console/deliveries/{id}/replay', description: 'Posts a delivery again.' },
    async (context, request, access) => {
      const { webhooks, id } = await callsFor(context, await reach(context, request, access), deliveryRows);
      return jsonAnswer(request, await webhooks.replay({ deliveryId: id }));
    },
  );

const enable = (gate: Gate) =>
  pageRoute(
    gate,
    { http: 'POST /webhooks-console/webhooks/{id}/enable', description: 'Starts a disabled webhook afresh.' },
    async (context, request, access) => {
      const { webhooks, id } = await callsFor(context, await reach(context, request, access), webhookRows);
      return jsonAnswer(request, await webhooks.update({ id, enabled: true }));
    },
  );

/** All routes of the console; empty if the console is not configured or is hidden. */
export function createRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createGate(options);
  const page = {
    name,
    title: 'Webhooks',
    paths: ['/'] as const,
    description: 'Webhooks and their deliveries as a page.',
    load: async () => (await import('../assets.gen.ts')).assets,
  };
  const routes = [listOfWorkspaces, listOfWebhooks, listOfDeliveries, bodyOfDelivery, replay, enable];
  const hidden = hiddenWithoutSignIn(options);
  return [...pageRoutes(page, gate, fileGate), ...routes.map((route) => route(gate))].map((route) => ({
    ...route,
    hidden,
  }));
}
