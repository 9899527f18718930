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
  hiddenWithoutSignIn,
  jsonResponse,
  type PageAccess,
  type PageGate,
  type PageOptions,
  pageRoute,
  pageRoutes,
  plainResponse,
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
import type { ConsoleDelivery, ConsoleWebhook, DeliveryList, WebhookList, WebhooksWorkspaceList } from './wire.ts';

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
async function reach(ctx: PublicRouteContext, request: PublicRequest, access: PageAccess): Promise<Reached> {
  const { workspace } = checkInput(placeQuery, queryOf(request));
  return { workspace: await reachWorkspace(ctx, access, workspace), id: idIn(request) };
}

const bothSidesOf = (handle: WorkspaceHandle): WorkspaceHandle =>
  handle.bothSides('the console shows the webhooks of both sides');

/** Typed calls on the side of the row that the path names. A deleted row leads to a not-found error. */
async function callsFor(ctx: PublicRouteContext, { workspace, id }: Reached, rows: SidedRows) {
  const row = await ctx.read(workspace.id, ({ trx }) => rows.find(bothSidesOf(trx), id));
  return { ...ctx.calls(workspace.id, name, { sandbox: row?.sandbox ?? false }), id };
}

const listOfWorkspaces = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/workspaces', description: 'The workspaces whose webhooks the caller may see.' },
    async (ctx, request, access) => {
      checkInput(z.strictObject({}), queryOf(request));
      const visible = await visibleWorkspaces(ctx, access, maxWorkspaces + 1);
      const response: WebhooksWorkspaceList = {
        service: { name: ctx.ports.service.name },
        data: visible.slice(0, maxWorkspaces).map(({ id, name }) => ({ id, name })),
        has_more: visible.length > maxWorkspaces,
      };
      return jsonResponse(request, response);
    },
  );

const listOfWebhooks = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/webhooks', description: 'The webhooks of a workspace, and how they are.' },
    async (ctx, request, access) => {
      const { workspace } = await reach(ctx, request, access);
      const rows = await ctx.read(workspace.id, ({ trx }) =>
        webhookRows.page(bothSidesOf(trx), { limit: maxWebhooks }),
      );
      const response: WebhookList = { data: rows.map(presentHealth) };
      return jsonResponse(request, response);
    },
  );

const listOfDeliveries = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/webhooks/{id}/deliveries', description: 'The deliveries of a webhook.' },
    async (ctx, request, access) => {
      const query = checkInput(deliveriesQuery, queryOf(request));
      const workspace = await reachWorkspace(ctx, access, query.workspace);
      const id = idIn(request);
      const list = `webhooks_console:${id}`;
      const after = decodeCursor(list, query.cursor);
      const rows = await ctx.read(workspace.id, async ({ trx }) => {
        const webhook = await webhookRows.find(bothSidesOf(trx), id);
        if (webhook === undefined) throw errors.webhook_not_found({ id: id.slice(0, 100) });
        return deliveryRows.page(trx.onSide(webhook.sandbox), {
          where: { webhook_id: id, status: query.status },
          conditions: query.event === undefined ? undefined : likeEvent(query.event),
          after,
          limit: pageSize + 1,
        });
      });
      const response: DeliveryList = toPage(list, rows, pageSize, deliveryRows.position, presentTried);
      return jsonResponse(request, response);
    },
  );

const bodyOfDelivery = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /webhooks-console/deliveries/{id}/body', description: 'The body of a delivery, as it is sent.' },
    async (ctx, request, access) => {
      const { workspace, id } = await reach(ctx, request, access);
      const event = await ctx.read(workspace.id, async ({ trx }) => {
        const handle = bothSidesOf(trx);
        const delivery = await deliveryRows.find(handle, id);
        return delivery === undefined ? undefined : findEvent(handle, delivery.event_id);
      });
      if (event === undefined) throw errors.webhook_delivery_not_found({ id: id.slice(0, 100) });
      return plainResponse('text/plain; charset=utf-8', eventText(event));
    },
  );

const replay = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /webhooks-console/deliveries/{id}/replay', description: 'Posts a delivery again.' },
    async (ctx, request, access) => {
      const { webhooks, id } = await callsFor(ctx, await reach(ctx, request, access), deliveryRows);
      return jsonResponse(request, await webhooks.replay({ deliveryId: id }));
    },
  );

const enable = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /webhooks-console/webhooks/{id}/enable', description: 'Starts a disabled webhook afresh.' },
    async (ctx, request, access) => {
      const { webhooks, id } = await callsFor(ctx, await reach(ctx, request, access), webhookRows);
      return jsonResponse(request, await webhooks.update({ id, enabled: true }));
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
