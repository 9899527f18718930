// The routes of the designer. Each route checks access first, then serves one workspace that the visitor may see.
import {
  isPostriderError,
  type PublicRequest,
  type PublicRoute,
  type PublicRouteContext,
  type WorkspaceHandle,
  z,
} from '../../../core/index.ts';
import {
  checkInput,
  createPageGate,
  fileGate,
  findRawFault,
  hasScope,
  hiddenWithoutAccess,
  jsonResponse,
  onVisibleSides,
  type PageVisitor,
  pageRefusals,
  pageRoute,
  pageRoutes,
  queryOf,
  type VisibleWorkspace,
  visibleWorkspace,
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
import type { Choice, DesignerData, QrDesign, QrExport, QrPreview, QrWorkspaceList } from './wire.ts';

/** The first segment of the designer's paths, and its name in the audit log. */
const name = 'qr-designer';

const maxWorkspaces = 200;
const maxDesigns = 100;
const maxChoices = 100;
const previewMs = 15_000;

const workspaceField = { workspace: z.string().min(1).max(100) };
const workspaceQuery = z.strictObject(workspaceField);
const designBody = z.strictObject(newDesign);
const renderBody = z.strictObject({ format: z.enum(formats) });

/** QR codes have the scopes of links, because they lead to links. */
export const readScope = 'links:read';
const changeScope = 'links:write';

const gate = createPageGate({ refusals: pageRefusals(errors, 'qr_designer'), scope: readScope });

/** A visitor in a workspace that they may see. */
interface WorkspaceAccess {
  readonly visitor: PageVisitor;
  readonly visible: VisibleWorkspace;
}

async function accessOf(
  ctx: PublicRouteContext,
  request: PublicRequest,
  visitor: PageVisitor,
): Promise<WorkspaceAccess> {
  const { workspace } = checkInput(workspaceQuery, queryOf(request));
  return { visitor, visible: await visibleWorkspace(ctx, visitor, workspace) };
}

/** Calls in the visitor's name. (Default: on the first side that they may see, the live side if possible) */
function callsOf(
  ctx: PublicRouteContext,
  { visitor: { member }, visible: { workspace, scopes, sides } }: WorkspaceAccess,
  sandbox = sides[0] === 'sandbox',
) {
  const identity = { ...(member === undefined ? {} : { member }), ...(scopes === undefined ? {} : { scopes }) };
  return ctx.calls(workspace.id, name, { sandbox, ...identity });
}

const sidesOf = ({ visible }: WorkspaceAccess, handle: WorkspaceHandle): WorkspaceHandle =>
  onVisibleSides(visible, handle, 'the designer shows the designs of both sides');

/** The design that the path names, and API calls on the design's side. @throws qr_not_found */
async function findDesign(ctx: PublicRouteContext, request: PublicRequest, place: WorkspaceAccess) {
  const { id = '' } = request.params;
  const row =
    findRawFault(id) === undefined
      ? await ctx.read(place.visible.workspace.id, ({ trx }) => qrRows.find(sidesOf(place, trx), id))
      : undefined;
  if (row === undefined) throw errors.qr_not_found({ id: id.slice(0, 100) });
  return { row, calls: callsOf(ctx, place, row.sandbox) };
}

const listOfWorkspaces = pageRoute(
  gate,
  { http: 'GET /qr-designer/workspaces', description: 'The workspaces whose QR codes the visitor may see.' },
  async (ctx, request, visitor) => {
    checkInput(z.strictObject({}), queryOf(request));
    const visible = await visibleWorkspaces(ctx, visitor, maxWorkspaces + 1);
    const response: QrWorkspaceList = {
      service: { name: ctx.ports.service.name },
      prices: ctx.services.qr.prices,
      data: visible.slice(0, maxWorkspaces).map((one) => ({
        id: one.workspace.id,
        name: one.workspace.name,
        may_change: hasScope(one, changeScope),
      })),
      has_more: visible.length > maxWorkspaces,
    };
    return jsonResponse(request, response);
  },
);

/** The pictures of the asset library; none if there is no library, or if the visitor may not see it. */
async function logosOf(ctx: PublicRouteContext, place: WorkspaceAccess): Promise<Choice[]> {
  const hasLibrary = (ctx.services.assets as AssetsService | undefined) !== undefined;
  if (!hasLibrary || !hasScope(place.visible, 'assets:read')) return [];
  const { assets } = callsOf(ctx, place);
  const { data } = await assets.list({ kind: 'image', limit: maxChoices });
  return data
    .filter(({ status, tags }) => status === 'ready' && !tags.includes('qr-code'))
    .map((asset) => ({ id: asset.assetId, name: asset.name }));
}

const listOfDesigns = pageRoute(
  gate,
  {
    http: 'GET /qr-designer/designs',
    description: 'The QR designs of a workspace, and the links, assets and brands that they may use.',
  },
  async (ctx, request, visitor) => {
    const access = await accessOf(ctx, request, visitor);
    const rows = await ctx.read(access.visible.workspace.id, ({ trx }) =>
      qrRows.page(sidesOf(access, trx), { limit: maxDesigns }),
    );
    const links = await callsOf(ctx, access).links.list({ limit: maxChoices });
    const response: DesignerData = {
      designs: rows.map((row) => presentQr(row) as QrDesign),
      links: links.data.map((link) => ({ id: link.linkId, name: link.label ?? link.redirectUrl })),
      logos: await logosOf(ctx, access),
    };
    return jsonResponse(request, response);
  },
);

/** Draws a design that is not stored. @throws an error of the API if the design cannot be drawn */
async function drawPreview(ctx: PublicRouteContext, place: WorkspaceAccess, value: unknown): Promise<QrPreview> {
  const { encodes, style: changes = {}, frame } = checkInput(designBody, value);
  const style = newStyle(changes);
  const { workspace } = place.visible;
  const text = await ctx.read(workspace.id, async (read) => {
    const ctx = { ...read, trx: sidesOf(place, read.trx) };
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

const preview = pageRoute(
  gate,
  { http: 'POST /qr-designer/preview', description: 'Draws and reads a QR design that is not stored.' },
  async (ctx, request, visitor) => {
    const access = await accessOf(ctx, request, visitor);
    const body = await request.json();
    const response: QrPreview = await drawPreview(ctx, access, body).catch((error: unknown) => {
      // While the user types, fields can be missing. So an incomplete design is a normal answer, not a failed request.
      if (!isPostriderError(error) || error.status >= 500) throw error;
      const isComplete = error.code === 'qr_unreadable' || error.code === 'qr_logo_invalid';
      const message = error.details?.some(({ path }) => path === 'encodes.linkId') ? 'Choose a link.' : error.message;
      return { readable: false, isComplete, message };
    });
    return jsonResponse(request, response);
  },
);

const create = pageRoute(
  gate,
  { http: 'POST /qr-designer/designs', description: 'Stores a new QR design, at its price.' },
  async (ctx, request, visitor) => {
    const access = await accessOf(ctx, request, visitor);
    const body = checkInput(designBody, await request.json());
    return jsonResponse(request, await callsOf(ctx, access).qr.create(body));
  },
);

const update = pageRoute(
  gate,
  { http: 'POST /qr-designer/designs/{id}', description: 'Changes a QR design.' },
  async (ctx, request, visitor) => {
    const { row, calls } = await findDesign(ctx, request, await accessOf(ctx, request, visitor));
    const body = checkInput(designBody, await request.json());
    return jsonResponse(request, await calls.qr.update({ qrId: row.id, ...body }));
  },
);

const render = pageRoute(
  gate,
  { http: 'POST /qr-designer/designs/{id}/render', description: 'Exports a QR design, at the price of its format.' },
  async (ctx, request, visitor) => {
    const { row, calls } = await findDesign(ctx, request, await accessOf(ctx, request, visitor));
    const { format } = checkInput(renderBody, await request.json());
    const { contentType, dataBase64 } = await calls.qr.render({ qrId: row.id, format });
    const response: QrExport = { contentType, dataBase64: dataBase64 ?? '', filename: fileName(row, format) };
    return jsonResponse(request, response);
  },
);

const page = {
  name,
  title: 'QR codes',
  paths: ['/'] as const,
  description: 'Designs of QR codes as a page.',
  load: async () => (await import('../assets.gen.ts')).assets,
};

/** All routes of the designer. */
export const routes: readonly PublicRoute[] = [
  ...pageRoutes(page, gate, fileGate),
  listOfWorkspaces,
  listOfDesigns,
  preview,
  create,
  update,
  render,
].map((route) => ({ ...route, hidden: hiddenWithoutAccess }));
