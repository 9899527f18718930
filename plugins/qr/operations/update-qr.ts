import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { checkDesign, mergeStyle, storeAddresses } from '../check-design.ts';
import { errors } from '../errors.ts';
import { payloadOf } from '../payload/payload.ts';
import { presentQr } from '../present.ts';
import { defaultStyle, encodes, frameInput, label, noFrame, qrResource, styleInput, tags } from '../schema.ts';
import { qrRows } from '../tables.ts';
import { designErrors, foreignDesign, someDesign } from './fixture-rows.ts';

export const updateQr = defineOperation({
  id: 'qr.update',
  summary: 'Change a QR design',
  description:
    'Fields of style are merged; encodes, frame and tags are replaced. null removes style, frame or label. Pictures that were rendered before stay as they are: a change of encodes reaches no printed code.',
  http: 'PATCH /v1/qr/{qrId}',
  tool: { name: 'update_qr_design', destructive: true },
  scopes: ['links:write'],
  idempotency: 'replay',
  input: {
    params: z.object({ qrId: idParameter('qr') }),
    body: z.object({
      encodes: encodes.optional(),
      label: label.nullable().optional(),
      tags: tags.optional(),
      style: styleInput.nullable().optional(),
      frame: frameInput.nullable().optional(),
    }),
  },
  output: qrResource,
  errors: ['qr_not_found', 'link_not_found', 'qr_unreadable', 'qr_logo_invalid', 'qr_assets_missing'],
  audit: { action: 'qr.update', target: ({ qrId }) => ({ kind: 'qr', id: qrId }) },
  fixture: async (kit) => ({
    params: { qrId: await someDesign(kit, kit.workspaceId) },
    body: { label: 'Window', style: { dots: 'dots' }, frame: { kind: 'border' } },
    foreign: { params: { qrId: await someDesign(kit, kit.foreignWorkspaceId) }, ...(await foreignDesign(kit)) },
    errors: designErrors,
  }),

  async handler(ctx, { params: { qrId }, body }) {
    const row = await qrRows.lock(ctx.trx, qrId);
    if (row === undefined) throw errors.qr_not_found({ id: qrId });
    const style = body.style === null ? defaultStyle : mergeStyle(row.style, body.style ?? {});
    const encoded = body.encodes ?? row.encodes;
    const payload = body.encodes === undefined ? row.payload : await payloadOf(ctx, body.encodes);
    await checkDesign(ctx, style, payload, row.style);
    const changedRow = await qrRows.change(ctx.trx, row, {
      encodes: encoded,
      label: body.label,
      tags: body.tags,
      style,
      frame: body.frame === null ? noFrame : body.frame,
      payload,
      updated_at: ctx.now,
    });
    await storeAddresses(ctx, row.id, encoded, { isNew: false });
    return presentQr(changedRow);
  },
});
