// The segments plugin.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { createContactFilters } from './contact-filters.ts';
import { createSegmentsService } from './create-service.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { compareSegmentJob } from './jobs/compare-segment.ts';
import { forgetWatchJob } from './jobs/forget-watch.ts';
import { migration0001 } from './migrations/0001-segments.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { createListReferences, createTopicReferences } from './references.ts';
import { schedules } from './schedules.ts';
import { segments } from './segments.ts';
import { segmentMembers, segmentWatches } from './tables.ts';
import { createImportListener } from './watching/import-listener.ts';
import { createSubscriptionChanges } from './watching/subscription-changes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    segments: CallsOf<typeof operations>;
  }
}

/** Segments: the contacts for which a filter is true. */
export const segmentsPlugin = () =>
  definePlugin({
    id: 'segments',
    searchWords: {
      segment: [
        'filter',
        'cohort',
        'criteria',
        'target',
        'rule',
        'subset',
        'audience',
        'condition',
        'behaviour',
        'bought',
        'inactive',
        'loyal',
        'dynamic',
        'itself',
        'automatic',
        'opened',
      ],
      preview_segment: ['match', 'estimate', 'size', 'conditions'],
      explain_segment: ['counted', 'belong', 'part', 'among'],
      segment_contacts: ['matching', 'people', 'customers'],
    },
    requires: ['contacts', 'lists', 'topics', 'suppressions', 'email'],
    scopes: [],
    operations,
    console: consolePages,
    errors: errorDefinitions(errors),
    events,
    tables: { segments: segments.table, segment_watches: segmentWatches, segment_members: segmentMembers },
    migrations: [migration0001],
    jobs: [compareSegmentJob, forgetWatchJob],
    schedules,
    personalData,
    extensionPoints: ['segments.references', 'segments.watchers'],
    services: { segments: createSegmentsService, contactFilters: createContactFilters },
    contributes: {
      'contacts.imports': createImportListener,
      'lists.references': createListReferences,
      'topics.references': createTopicReferences,
      'webhooks.changes': createSubscriptionChanges,
    },
  });
