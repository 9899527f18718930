// The pages of sequences in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { sequenceActions } from './actions.ts';
import { findSequences, sequenceList } from './list.ts';
import { pageStyle, runPath } from './parts.ts';
import { cancelAction, runPage } from './run.ts';
import { runList } from './runs.ts';
import { sequencePage } from './sequence.ts';

const ofSequences = { area: 'Automation', scopes: ['sequences:read'], style: pageStyle } as const;

/** The page to which a query of the earlier page leads. */
export function pageOfQuery({ run, sequence }: Readonly<Record<string, string>>): string {
  if (run !== undefined) return runPath(run);
  return sequence === undefined ? 'sequences' : `sequences/${sequence}`;
}

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofSequences, path: 'sequences', title: 'Sequences', render: sequenceList, find: findSequences },
  {
    ...ofSequences,
    path: 'sequences/{sequenceId}',
    title: 'Sequence',
    render: sequencePage,
    actions: sequenceActions,
  },
  { ...ofSequences, path: 'sequences/{sequenceId}/runs', title: 'Runs', render: runList },
  { ...ofSequences, path: runPath('{runId}'), title: 'Run', render: runPage, actions: { cancel: cancelAction } },
];
