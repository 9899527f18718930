// Designs as the API shows them.
import { presenter } from '../../core/index.ts';
import { qrResource } from './schema.ts';
import { qrDesigns } from './tables.ts';

export const presentQr = presenter(qrDesigns, qrResource, { qrId: (row) => row.id });
