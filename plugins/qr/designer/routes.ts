// The routes of the designer. Each route checks access first, then serves one workspace that the caller may see.
import {
  isPostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type Workspace,
  type WorkspaceHandle,
  z,
} from '../../../core/index.ts';
import {
  checkInput,
  fileGate,
  findRawFault,
  hiddenWithoutSignIn,
  jsonResponse,
  type PageAccess,
  type PageGate,
  type PageOptions,
  pageRoute,
  pageRoutes,
  queryOf,
  reachWorkspace,
  visibleWorkspaces,
} from '../../../core/unstable.ts';
import type { AssetsService } from '../../assets/service.ts';
import { newStyle } from '../check-design.ts';
import { errors } from '../errors.ts';
import { fileName } from '../file-name.ts';
import { callerOf, findLogo, readLogo } from '../logo/read-logo.ts';
import { payloadOf } from '../payload/payload.ts';
import { presentQr } from '../present.ts';
import { formats, newDesign, noFrame } from '../schema.ts';
import { qrRows } from '../tables.ts';
import { createGate } from './gate.ts';
import type { Choice, DesignerData, QrDesign, QrExport, QrPreview, QrWorkspaceList } from './wire.ts';

/** The first segment of the designer's paths, and its name in the audit log. */
const name = 'qr-designer';

const maxWorkspaces = 200;
const maxDesigns = 100;
const maxChoices = 100;
const previewMs = 15_000;

const place = { workspace: z.string().min(1).max(100) };
const placeQuery = z.strictObject(place);
const designBody = z.strictObject(newDesign);
const renderBody = z.strictObject({ format: z.enum(formats) });

async function reach(ctx: PublicRouteContext, request: PublicRequest, access: PageAccess): Promise<Workspace> {
  const { workspace } = checkInput(placeQuery, queryOf(request));
  return reachWorkspace(ctx, access, workspace);
}

const bothSidesOf = (handle: WorkspaceHandle): WorkspaceHandle =>
  handle.bothSides('the designer shows the designs of both sides');

/** The design that the path names, and API calls on the design's side. @throws qr_not_found */
async function reachDesign(ctx: PublicRouteContext, request: PublicRequest, workspace: Workspace) {
  const { id = '' } = request.params;
  const row =
    findRawFault(id) === undefined
      ? await ctx.read(workspace.id, ({ trx }) => qrRows.find(bothSidesOf(trx), id))
      : undefined;
  if (row === undefined) throw errors.qr_not_found({ id: id.slice(0, 100) });
  return { row, calls: ctx.calls(workspace.id, name, { sandbox: row.sandbox }) };
}

const listOfWorkspaces = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'GET /qr-designer/workspaces', description: 'The workspaces whose QR codes the caller may see.' },
    async (ctx, request, access) => {
      checkInput(z.strictObject({}), queryOf(request));
      const visible = await visibleWorkspaces(ctx, access, maxWorkspaces + 1);
      const response: QrWorkspaceList = {
        service: { name: ctx.ports.service.name },
        prices: ctx.services.qr.prices,
        data: visible.slice(0, maxWorkspaces).map((workspace) => ({ id: workspace.id, name: workspace.name })),
        has_more: visible.length > maxWorkspaces,
      };
      return jsonResponse(request, response);
    },
  );

/** The pictures of the asset library; none if the assets plugin is not composed. */
async function logosOf(ctx: PublicRouteContext, workspace: Workspace): Promise<Choice[]> {
  if ((ctx.services.assets as AssetsService | undefined) === undefined) return [];
  const { assets } = ctx.calls(workspace.id, name);
  const { data } = await assets.list({ kind: 'image', limit: maxChoices });
  return data
    .filter(({ status, tags }) => status === 'ready' && !tags.includes('qr-code'))
    .map((asset) => ({ id: asset.assetId, name: asset.name }));
}

const listOfDesigns = (gate: PageGate) =>
  pageRoute(
    gate,
    {
      http: 'GET /qr-designer/designs',
      description: 'The QR designs of a workspace, and the links, assets and brands that they may use.',
    },
    async (ctx, request, access) => {
      const workspace = await reach(ctx, request, access);
      const rows = await ctx.read(workspace.id, ({ trx }) => qrRows.page(bothSidesOf(trx), { limit: maxDesigns }));
      const links = await ctx.calls(workspace.id, name).links.list({ limit: maxChoices });
      const response: DesignerData = {
        designs: rows.map((row) => presentQr(row) as QrDesign),
        links: links.data.map((link) => ({ id: link.linkId, name: link.label ?? link.redirectUrl })),
        logos: await logosOf(ctx, workspace),
      };
      return jsonResponse(request, response);
    },
  );

/** @throws the error if the design cannot be drawn */
async function drawPreview(ctx: PublicRouteContext, workspace: Workspace, value: unknown): Promise<QrPreview> {
  const { encodes, style: changes = {}, frame } = checkInput(designBody, value);
  const style = newStyle(changes);
  const text = await ctx.read(workspace.id, async (read) => {
    const ctx = { ...read, trx: bothSidesOf(read.trx) };
    if (style.logoAssetId !== null) await findLogo(ctx, style.logoAssetId);
    return payloadOf(ctx, encodes);
  });
  const { services, ports, log } = ctx;
  const signal = AbortSignal.timeout(previewMs);
  const logo = await readLogo({ services, ports, log, workspace, signal }, style.logoAssetId);
  const source = { text, style, frame: frame ?? noFrame, logo };
  const { bytes } = await ctx.services.qr.render(source, 'svg', callerOf({ workspace, signal }));
  return { readable: true, svg: bytes.toString(), payload: text };
}

const preview = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /qr-designer/preview', description: 'Draws and reads a QR design that is not stored.' },
    async (ctx, request, access) => {
      const workspace = await reach(ctx, request, access);
      const body = await request.json();
      const response: QrPreview = await drawPreview(ctx, workspace, body).catch((error: unknown) => {
        // While the user types, fields can be missing. This is a normal answer, not a failed request.
        if (!isPostriderError(error) || error.status >= 500) throw error;
        const isComplete = error.code === 'qr_unreadable' || error.code === 'qr_logo_invalid';
        const message = error.details?.some(({ path }) => path === 'encodes.linkId') ? 'Choose a link.' : error.message;
        return { readable: false, isComplete, message };
      });
      return jsonResponse(request, response);
    },
  );

const create = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /qr-designer/designs', description: 'Stores a new QR design, at its price.' },
    async (ctx, request, access) => {
      const workspace = await reach(ctx, request, access);
      const body = checkInput(designBody, await request.json());
      return jsonResponse(request, await ctx.calls(workspace.id, name).qr.create(body));
    },
  );

const update = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /qr-designer/designs/{id}', description: 'Changes a QR design.' },
    async (ctx, request, access) => {
      const { row, calls } = await reachDesign(ctx, request, await reach(ctx, request, access));
      const body = checkInput(designBody, await request.json());
      return jsonResponse(request, await calls.qr.update({ qrId: row.id, ...body }));
    },
  );

const render = (gate: PageGate) =>
  pageRoute(
    gate,
    { http: 'POST /qr-designer/designs/{id}/render', description: 'Exports a QR design, at the price of its format.' },
    async (ctx, request, access) => {
      const { row, calls } = await reachDesign(ctx, request, await reach(ctx, request, access));
      const { format } = checkInput(renderBody, await request.json());
      const { contentType, dataBase64 } = await calls.qr.render({ qrId: row.id, format });
      const response: QrExport = { contentType, dataBase64: dataBase64 ?? '', filename: fileName(row, format) };
      return jsonResponse(request, response);
    },
  );

/** All routes of the designer; empty if it is not configured. */
export function createRoutes(options: PageOptions | undefined): PublicRoute[] {
  if (options === undefined) return [];
  const gate = createGate(options);
  const page = {
    name,
    title: 'QR codes',
    paths: ['/'] as const,
    description: 'Designs of QR codes as a page.',
    load: async () => (await import('../assets.gen.ts')).assets,
  };
  const routes = [listOfWorkspaces, listOfDesigns, preview, create, update, render];
  const hidden = hiddenWithoutSignIn(options);
  return [...pageRoutes(page, gate, fileGate), ...routes.map((route) => route(gate))].map((route) => ({
    ...route,
    hidden,
  }));
}
