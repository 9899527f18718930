// The creations plugin: campaigns over several channels, made from a brief.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { buildItem, endItemJob } from './building/job.ts';
import { consolePages } from './console/index.ts';
import { strategyContentKind } from './content-kind.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { completeJob } from './following/complete.ts';
import { retention, schedules } from './following/schedules.ts';
import { subscribers } from './following/subscribers.ts';
import { migration0001 } from './migrations/0001-creations.ts';
import { operations } from './operations/index.ts';
import { failStrategyJob, strategyJob } from './strategy/job.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    creations: CallsOf<typeof operations>;
  }
}

/** Campaigns over several channels, made from a brief. Everything that they build is a draft. */
export const creationsPlugin = () =>
  definePlugin({
    id: 'creations',
    searchWords: {
      creation: ['campaign', 'launch', 'multichannel', 'brief', 'bundle', 'product', 'release'],
      read_creation: ['progress', 'status', 'ready'],
      creation_item: ['piece', 'part', 'broke', 'failed'],
      creation_strategy: ['concept', 'approach', 'direction'],
    },
    requires: ['campaigns', 'marketing', 'templates', 'brand', 'social', 'links'],
    operations,
    console: consolePages,
    toolWorkflows: [
      {
        task: 'The first campaign of a workspace without a brand',
        tools: ['list_brands', 'create_brand', 'spawn_creation'],
      },
      {
        task: 'A campaign of several channels',
        tools: ['spawn_creation', 'read_creation', 'approve_creation_strategy'],
        note: 'Read it with detail=full: its strategy is there once its status is awaiting_approval. Everything that is built is a draft.',
      },
    ],
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [strategyJob, failStrategyJob, buildItem, endItemJob, completeJob],
    subscribers,
    schedules,
    retention,
    contentKinds: [strategyContentKind],
  });
