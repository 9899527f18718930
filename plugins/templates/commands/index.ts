import { previewTemplates } from './preview-templates.ts';
import { pullTemplates } from './pull-templates.ts';
import { pushTemplates } from './push-templates.ts';
import { writeTypes } from './write-types.ts';

export const commands = [pullTemplates, pushTemplates, previewTemplates, writeTypes];
