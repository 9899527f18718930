// The templates plugin.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { migration0001 } from './migrations/0001-templates.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';
import type { TemplateCallers, TemplatesService } from './service.ts';
import { createTemplatesService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    templates: CallsOf<typeof operations>;
  }
  interface Services {
    templates: TemplatesService;
    templateCallers?: TemplateCallers;
  }
}

/** Email templates: drafts, published versions, contracts. */
export const templatesPlugin = () =>
  definePlugin({
    id: 'templates',
    scopes,
    operations,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    services: { templates: createTemplatesService },
  });
