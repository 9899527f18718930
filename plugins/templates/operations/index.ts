import { createTemplate } from './create-template.ts';
import { listTemplates } from './list-templates.ts';
import { publishTemplate } from './publish-template.ts';
import { readTemplate } from './read-template.ts';
import { readTemplateSchema } from './read-template-schema.ts';
import { updateTemplate } from './update-template.ts';

export const operations = [
  listTemplates,
  readTemplate,
  readTemplateSchema,
  createTemplate,
  updateTemplate,
  publishTemplate,
] as const;
