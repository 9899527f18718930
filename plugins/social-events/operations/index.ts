import { browseKit } from './browse-kit.ts';
import { listRuns } from './list-runs.ts';
import { listTemplates } from './list-templates.ts';
import { previewEvent } from './preview-event.ts';
import { triggerEvent } from './trigger-event.ts';

export const operations = [browseKit, listTemplates, previewEvent, triggerEvent, listRuns] as const;
