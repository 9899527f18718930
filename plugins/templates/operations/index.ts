import { archiveTemplate } from './archive-template.ts';
import { composeTemplate } from './compose-template.ts';
import { createTemplate } from './create-template.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { listTemplates } from './list-templates.ts';
import { proposeTemplate } from './propose-template.ts';
import { publishTemplate } from './publish-template.ts';
import { readTemplate } from './read-template.ts';
import { readTemplateSchema } from './read-template-schema.ts';
import { renderTemplate } from './render-template.ts';
import { rollbackTemplate } from './rollback-template.ts';
import { updateTemplate } from './update-template.ts';

export const operations = [
  listTemplates,
  readTemplate,
  readTemplateSchema,
  renderTemplate,
  createTemplate,
  composeTemplate,
  updateTemplate,
  proposeTemplate,
  publishTemplate,
  listTemplateVersions,
  rollbackTemplate,
  archiveTemplate,
] as const;
