// The pages of sequences in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { runPath } from './run-path.ts';

const sequenceArea = { area: 'Automation', scopes: ['sequences:read'] } as const;

/** The path of the page that replaces the former page `sequences?run=…&sequence=…`. Used by the redirect of old links. */
export function pageOfQuery({ run, sequence }: Readonly<Record<string, string>>): string {
  if (run !== undefined) return runPath(run);
  return sequence === undefined ? 'sequences' : `sequences/${sequence}`;
}

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...sequenceArea, path: 'sequences', title: 'Sequences', load: async () => (await pages()).sequences },
  { ...sequenceArea, path: 'sequences/{sequenceId}', title: 'Sequence', load: async () => (await pages()).sequence },
  { ...sequenceArea, path: 'sequences/{sequenceId}/runs', title: 'Runs', load: async () => (await pages()).runs },
  { ...sequenceArea, path: runPath('{runId}'), title: 'Run', load: async () => (await pages()).run },
];
