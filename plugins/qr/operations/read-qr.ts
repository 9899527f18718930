import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentQr } from '../present.ts';
import { qrResource } from '../schema.ts';
import { qrRows } from '../tables.ts';
import { someDesign } from './fixture-rows.ts';

export const readQr = defineRead({
  id: 'qr.read',
  summary: 'Read a QR design',
  description: 'Returns the content of the code, its style, frame, label and tags; not the picture itself.',
  http: 'GET /v1/qr/{qrId}',
  tool: 'read_qr_design',
  scopes: ['links:read'],
  rows: qrRows,
  item: qrResource,
  notFoundError: errors.qr_not_found,
  present: presentQr,
  exampleRow: someDesign,
});
