import { emitEvent } from './emit-event.ts';
import { listCatalog } from './list-catalog.ts';
import { listRecorded } from './list-recorded.ts';

export const operations = [emitEvent, listCatalog, listRecorded] as const;
