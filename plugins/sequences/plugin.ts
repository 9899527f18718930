// The sequences plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { movedToConsole } from '../../core/unstable.ts';
import { checkSequences } from './code/code-sequence.ts';
import { syncCode, syncSchedule } from './code/sync-code.ts';
import { createCodeSequences } from './code/waiting.ts';
import { consolePages, pageOfQuery } from './console/index.ts';
import { createSmsTemplateChanges, createTemplateChanges, sequenceContentKind } from './content-kind.ts';
import { createConversionSource } from './conversion-source.ts';
import { createOverdueLog } from './engine/overdue-log.ts';
import { failStepJob, stepJob } from './engine/step-run.ts';
import { eventConsumer } from './engine/wake.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { continueRunsJob } from './jobs/continue-runs.ts';
import { emptyRunsJob } from './jobs/empty-runs.ts';
import { enrollListJob } from './jobs/enroll-list.ts';
import { exitRunsJob } from './jobs/exit-runs.ts';
import { foldTalliesJob } from './jobs/fold-tallies.ts';
import { removeInterestsJob } from './jobs/remove-interests.ts';
import { migration0001 } from './migrations/0001-sequences.ts';
import { operations } from './operations/index.ts';
import type { SequencesOptions } from './options.ts';
import { pauseSequencesOfKey } from './pause-sequences-of-key.ts';
import { personalData } from './personal-data.ts';
import { createListReferences, createSegmentReferences, createTemplateReferences } from './reference-sources.ts';
import { runTimeline } from './run-timeline.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { enrollCurrentJob } from './segments/enroll-current.ts';
import { createSegmentWatcher } from './segments/watcher.ts';
import { createSequenceEntrance } from './sequence-entrance.ts';
import { tables } from './tables.ts';
import { createVersions } from './versions.ts';
import { zoneTimeline } from './zone-timeline.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    sequences: CallsOf<typeof operations>;
  }
}

/** Sequences: what happens to a contact over time, step by step. @throws TypeError if a code-defined sequence is not valid */
export const sequencesPlugin = (options: SequencesOptions = {}) => {
  checkOptions<SequencesOptions>('sequencesPlugin', options, { sequences: 'optional' });

  const code = checkSequences(options.sequences ?? []);
  return definePlugin({
    id: 'sequences',
    searchWords: {
      sequence: [
        'drip',
        'flow',
        'journey',
        'automation',
        'series',
        'onboarding',
        'welcome',
        'funnel',
        'workflow',
        'followup',
        'reminder',
        'course',
        'winback',
        'delay',
        'purchase',
      ],
      run: ['person', 'where', 'progress'],
      list: ['everybody', 'everyone', 'all', 'audience', 'segment'],
      transition_sequence: ['skip', 'step', 'wait', 'jump', 'forward'],
      sequence_run: ['step', 'stuck', 'progress', 'person'],
      publish_sequence: ['ready', 'activate'],
    },
    requires: ['contacts', 'suppressions', 'templates', 'email', 'lists'],
    scopes,
    operations,
    toolWorkflows: [
      {
        task: 'A sequence of mails',
        tools: ['publish_template', 'create_sequence', 'simulate_sequence', 'publish_sequence', 'enroll_in_sequence'],
        note: 'It sends published templates only.',
      },
      { task: 'What a sequence did to a person', tools: ['list_contacts', 'read_contact', 'read_sequence_run'] },
    ],
    publicRoutes: [movedToConsole('/sequences-console', pageOfQuery)],
    console: consolePages,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    eventConsumers: [eventConsumer],
    jobs: [
      stepJob,
      failStepJob,
      enrollListJob,
      enrollCurrentJob,
      continueRunsJob,
      exitRunsJob,
      emptyRunsJob,
      foldTalliesJob,
      removeInterestsJob,
    ],
    // An empty list archives the code-defined sequences of earlier releases. A missing option means that there were
    // never any, so no workspace is searched for them.
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
      'broadcasts.conversion_sources': createConversionSource,
      'lists.references': createListReferences,
      'segments.references': createSegmentReferences,
      'segments.watchers': createSegmentWatcher,
      'templates.references': createTemplateReferences,
      'templates.changes': createTemplateChanges(code),
      'sms.template_changes': createSmsTemplateChanges(code),
    },
    ...(code.length === 0 ? {} : { workspaceCreated: (ctx) => syncCode(ctx, code) }),
    keyCompromised: pauseSequencesOfKey,
    contentKinds: [sequenceContentKind],
  });
};
