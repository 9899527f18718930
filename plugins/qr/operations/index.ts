import { createQr } from './create-qr.ts';
import { listQr } from './list-qr.ts';
import { readQr } from './read-qr.ts';
import { renderQr } from './render-qr.ts';
import { updateQr } from './update-qr.ts';

export const operations = [listQr, readQr, createQr, updateQr, renderQr] as const;
