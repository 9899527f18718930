import { browseKit } from './browse-kit.ts';
import { listCatalog } from './list-catalog.ts';
import { listDeliveries } from './list-deliveries.ts';
import { previewSms } from './preview-sms.ts';
import { recordConsent } from './record-consent.ts';
import { sendSms } from './send-sms.ts';

export const operations = [browseKit, listCatalog, previewSms, sendSms, recordConsent, listDeliveries] as const;
