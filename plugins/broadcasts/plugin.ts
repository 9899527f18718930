// The broadcasts plugin.
import { type CallsOf, definePlugin, errorDefinitions, z } from '../../core/index.ts';
import { createBroadcastSends } from './broadcast-sends.ts';
import { broadcasts } from './broadcasts.ts';
import { consolePages, movedPage } from './console/index.ts';
import { broadcastContentKind } from './content.ts';
import { createConversionListener } from './conversions/listener.ts';
import { type ConversionSetting, conversionsSetting } from './conversions/settings.ts';
import { broadcastConversions } from './conversions/tables.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { createHoldListener } from './hold-listener.ts';
import { advanceJob } from './jobs/advance.ts';
import { foldTalliesJob } from './jobs/fold-tallies.ts';
import { migration0001 } from './migrations/0001-broadcasts.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { createPlanChanges } from './plan-changes.ts';
import {
  createListReferences,
  createSegmentReferences,
  createTemplateReferences,
  createTopicReferences,
} from './references.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { type BroadcastsService, createBroadcastsService } from './service.ts';
import { broadcastRecipients, broadcastTallies } from './tables.ts';
import { createTemplateChanges } from './template-changes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    broadcasts: CallsOf<typeof operations>;
  }
  interface Services {
    broadcasts: BroadcastsService;
  }
  interface WorkspaceSettings {
    /**
     * Whether the contacts of a segment get a broadcast without having agreed to its topic. (Default: opt_in, they must have agreed.
     * soft_opt_in: the default of the topic decides)
     */
    readonly consent?: 'opt_in' | 'soft_opt_in';
    /** Custom events that count as the success of a mail: at most 20, each type once. (Default: none) */
    readonly conversions?: readonly ConversionSetting[];
  }
}

/** Broadcasts: one mail to an audience, to each address exactly once. */
export const broadcastsPlugin = () =>
  definePlugin({
    id: 'broadcasts',
    searchWords: {
      broadcast: ['newsletter', 'campaign', 'mailing', 'blast', 'bulk', 'everyone', 'subscribers', 'announce'],
    },
    requires: [
      'campaigns',
      'contacts',
      'email',
      'lists',
      'reputation',
      'segments',
      'suppressions',
      'templates',
      'topics',
    ],
    scopes,
    operations,
    events,
    errors: errorDefinitions(errors),
    tables: {
      broadcasts: broadcasts.table,
      broadcast_recipients: broadcastRecipients,
      broadcast_tallies: broadcastTallies,
      broadcast_conversions: broadcastConversions,
    },
    migrations: [migration0001],
    jobs: [advanceJob, foldTalliesJob],
    schedules,
    publicRoutes: [movedPage],
    console: consolePages,
    retention,
    workspaceSettings: {
      consent: z.enum(['opt_in', 'soft_opt_in']).optional(),
      conversions: conversionsSetting.optional(),
    },
    extensionPoints: ['broadcasts.conversion_sources'],
    personalData,
    contentKinds: [broadcastContentKind],
    services: { broadcasts: createBroadcastsService, broadcastSends: createBroadcastSends },
    contributes: {
      'events.listeners': createConversionListener,
      'campaigns.plan_changes': createPlanChanges,
      'lists.references': createListReferences,
      'segments.references': createSegmentReferences,
      'topics.references': createTopicReferences,
      'templates.references': createTemplateReferences,
      'reputation.holds': createHoldListener,
      'templates.changes': createTemplateChanges,
    },
  });
