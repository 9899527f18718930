import { defineOperation, z } from '../../../core/index.ts';
import { checkDesign, newStyle, storeAddresses } from '../check-design.ts';
import { payloadOf } from '../payload/payload.ts';
import { presentQr } from '../present.ts';
import { newDesign, noFrame, qrResource } from '../schema.ts';
import { qrRows } from '../tables.ts';
import { designErrors, foreignDesign, someLink } from './fixture-rows.ts';

export const createQr = defineOperation({
  id: 'qr.create',
  summary: 'Create a QR design',
  description:
    'Stores the content and the style of the code; rendering it makes the picture. A short link is encoded with ?s=qr, so that its clicks can be distinguished. Costs 1 credit. Colours that scanners would not read are refused.',
  http: 'POST /v1/qr',
  tool: 'create_qr_design',
  scopes: ['links:write'],
  idempotency: 'replay',
  input: { body: z.object(newDesign) },
  output: qrResource,
  status: 201,
  errors: ['link_not_found', 'qr_unreadable', 'qr_logo_invalid', 'qr_assets_missing'],
  audit: { action: 'qr.create', target: ({ qrId }) => ({ kind: 'qr', id: qrId }) },
  fixture: async (kit) => ({
    body: {
      encodes: { kind: 'shortLink', linkId: await someLink(kit, kit.workspaceId) },
      label: 'Table 4',
      tags: ['tables'],
      style: { dots: 'rounded', corners: 'rounded', foreground: '#1c5a44', errorCorrection: 'Q' },
      frame: { kind: 'banner-bottom', text: 'See the menu' },
    },
    foreign: await foreignDesign(kit),
    errors: designErrors,
  }),

  async handler(ctx, { body }) {
    const style = newStyle(body.style ?? {});
    const payload = await payloadOf(ctx, body.encodes);
    await checkDesign(ctx, style, payload);
    await ctx.charge(ctx.services.qr.prices.create, 'QR design');
    const row = await qrRows.insert(ctx.trx, {
      id: ctx.newId('qr'),
      sandbox: ctx.sandbox,
      encodes: body.encodes,
      label: body.label ?? null,
      tags: body.tags ?? [],
      style,
      frame: body.frame ?? noFrame,
      payload,
      created_at: ctx.now,
      updated_at: ctx.now,
    });
    await storeAddresses(ctx, row.id, body.encodes, { isNew: true });
    ctx.note({ encodes: body.encodes.kind });
    return presentQr(row);
  },
});
