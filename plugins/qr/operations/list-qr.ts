import { defineList } from '../../../core/index.ts';
import { presentQr } from '../present.ts';
import { qrResource } from '../schema.ts';
import { qrRows } from '../tables.ts';
import { someDesign } from './fixture-rows.ts';

export const listQr = defineList({
  id: 'qr.list',
  summary: 'List QR designs',
  description: 'Newest first, each with the content of the code, its style, frame, label and tags; not the pictures.',
  http: 'GET /v1/qr',
  tool: 'list_qr_designs',
  scopes: ['links:read'],
  rows: qrRows,
  item: qrResource,
  present: presentQr,
  exampleRow: (kit, workspaceId) => someDesign(kit, workspaceId),
});
