// The plugin of lead magnets.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { buildJob, endBuildJob } from './building/job.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { giftRoutes } from './gift/routes.ts';
import { migration0001 } from './migrations/0001-lead-magnets.ts';
import { operations } from './operations/index.ts';
import type { LeadMagnetsOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { createLeadMagnetsService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    'lead-magnets': CallsOf<typeof operations>;
  }
}

/** Ebooks, guides and checklists that people get as a PDF after they sent a form. */
export const leadMagnetsPlugin = (options: LeadMagnetsOptions = {}) => {
  checkOptions<LeadMagnetsOptions>('leadMagnetsPlugin', options, {
    fonts: 'optional',
    language: 'optional',
    contentsHeading: 'optional',
  });
  return definePlugin({
    id: 'lead-magnets',
    searchWords: {
      'lead magnet': ['ebook', 'guide', 'checklist', 'whitepaper', 'download', 'pdf', 'leads'],
    },
    requires: ['pages', 'templates', 'brand', 'assets'],
    operations,
    console: consolePages,
    toolWorkflows: [
      {
        task: 'An ebook, a guide or a checklist as PDF',
        tools: ['create_lead_magnet', 'compose_lead_magnet', 'read_lead_magnet', 'export_lead_magnet'],
        note: 'Read it again until its status is ready.',
      },
    ],
    publicRoutes: giftRoutes,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [buildJob, endBuildJob],
    personalData,
    services: { leadMagnets: createLeadMagnetsService(options) },
  });
};
