// The sequences plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { checkSequences } from './code/code-sequence.ts';
import { syncCode, syncSchedule } from './code/sync.ts';
import { createCodeSequences } from './code/waiting.ts';
import { pauseCompromised } from './compromised.ts';
import { consoleRoutes } from './console/routes.ts';
import { createOverdueLog } from './engine/overdue-log.ts';
import { failStepJob, stepJob } from './engine/step.ts';
import { eventConsumer } from './engine/wake.ts';
import { createSequenceEntrance } from './entrance.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { continueRunsJob } from './jobs/continue-runs.ts';
import { emptyRunsJob } from './jobs/empty-runs.ts';
import { enrollListJob } from './jobs/enroll-list.ts';
import { exitRunsJob } from './jobs/exit-runs.ts';
import { foldTalliesJob } from './jobs/fold-tallies.ts';
import { forgetVersionsJob } from './jobs/forget-versions.ts';
import { migration0001 } from './migrations/0001-sequences.ts';
import { operations } from './operations/index.ts';
import type { SequencesOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { createListReferences, createTemplateReferences } from './references.ts';
import { runTimeline } from './run-timeline.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createSmsTemplateChanges, createTemplateChanges, sequenceSurface } from './surface.ts';
import { tables } from './tables.ts';
import { createVersions } from './versions.ts';
import { zoneTimeline } from './zone-timeline.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    sequences: CallsOf<typeof operations>;
  }
}

/** Sequences: what happens to a contact over time, step by step. @throws TypeError if a sequence of the code is not valid */
export const sequencesPlugin = (options: SequencesOptions = {}) => {
  checkOptions<SequencesOptions>('sequencesPlugin', options, { sequences: 'optional', console: 'optional' });

  const code = checkSequences(options.sequences ?? []);
  return definePlugin({
    id: 'sequences',
    requires: ['contacts', 'suppressions', 'templates', 'email', 'lists'],
    scopes,
    operations,
    toolOrders: [
      {
        job: 'A sequence of mails',
        tools: ['publish_template', 'create_sequence', 'simulate_sequence', 'publish_sequence', 'enroll_in_sequence'],
        note: 'It sends published templates only.',
      },
      { job: 'What a sequence did to a person', tools: ['list_contacts', 'read_contact', 'read_sequence_run'] },
    ],
    publicRoutes: consoleRoutes(options.console),
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    eventConsumers: [eventConsumer],
    jobs: [
      stepJob,
      failStepJob,
      enrollListJob,
      continueRunsJob,
      exitRunsJob,
      emptyRunsJob,
      foldTalliesJob,
      forgetVersionsJob,
    ],
    // An empty list archives earlier code sequences. If the option is missing, there are none, and no workspace is searched for them.
    schedules: options.sequences === undefined ? schedules : [...schedules, syncSchedule(code)],
    retention,
    personalData,
    timeline: [runTimeline, zoneTimeline],
    services: {
      sequenceVersions: createVersions,
      sequenceEntrance: createSequenceEntrance,
      codeSequences: createCodeSequences,
      sequenceOverdue: createOverdueLog,
    },
    contributes: {
      'lists.references': createListReferences,
      'templates.references': createTemplateReferences,
      'templates.changes': createTemplateChanges(code),
      'sms.template_changes': createSmsTemplateChanges(code),
    },
    ...(code.length === 0 ? {} : { workspaceCreated: (ctx) => syncCode(ctx, code) }),
    keyCompromised: pauseCompromised,
    surfaces: [sequenceSurface],
  });
};
