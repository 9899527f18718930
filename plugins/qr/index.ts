// QR codes of a workspace: designs, and their pictures for screens and for print.
export type { QrOptions, QrPrices } from './options.ts';
export { qrPlugin } from './plugin.ts';
export type { QrService } from './service.ts';
