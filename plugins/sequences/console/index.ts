// The pages of sequences in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { runPath } from './run-path.ts';

const ofSequences = { area: 'Automation', scopes: ['sequences:read'] } as const;

/** The path of the page that replaces the former page `sequences?run=…&sequence=…`. Used by the redirect of old links. */
export function pageOfQuery({ run, sequence }: Readonly<Record<string, string>>): string {
  if (run !== undefined) return runPath(run);
  return sequence === undefined ? 'sequences' : `sequences/${sequence}`;
}

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofSequences, path: 'sequences', title: 'Sequences', load: async () => (await pages()).sequences },
  { ...ofSequences, path: 'sequences/{sequenceId}', title: 'Sequence', load: async () => (await pages()).sequence },
  { ...ofSequences, path: 'sequences/{sequenceId}/runs', title: 'Runs', load: async () => (await pages()).runs },
  { ...ofSequences, path: runPath('{runId}'), title: 'Run', load: async () => (await pages()).run },
];
