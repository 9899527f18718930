// Runs one life of the worker process: starts it, kills it or lets it end, and reads its journal. Called by the killing test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Phase } from '../../core/contract/ports/platform.ts';
import { compiledSources } from '../support/compiled.ts';
import { type JournalEntry, readJournal, type WorkerPlan } from './worker-plan.ts';

const script = join(await compiledSources(), 'test/faults/worker-process.js');

/** The ways in which a life ends from outside. */
export interface EndFromOutside {
  /**
   * SIGKILL this many milliseconds after the worker is ready. Also the fallback if the worker should have killed itself but did not.
   */
  readonly killAfterMs: number;
  /** Called when the worker is ready. */
  readonly onReady?: () => void;
}

/** The result of a life. */
export interface Life {
  readonly entries: readonly JournalEntry[];
  /** The phase at which it killed itself; `outside` if it was killed from outside; undefined if it ended normally. */
  readonly killedAt: Phase | 'outside' | undefined;
  /** Its log lines at level error. */
  readonly errors: readonly string[];
}

let lives = 0;

/** Runs one life to its end. `folder` contains its plan and its journal. @throws if it ended in another way */
export async function runLife(folder: string, plan: Omit<WorkerPlan, 'journal'>, end: EndFromOutside): Promise<Life> {
  lives += 1;
  const journal = join(folder, `life-${lives}.jsonl`);
  const planFile = join(folder, `life-${lives}.json`);
  writeFileSync(journal, '');
  writeFileSync(planFile, JSON.stringify({ ...plan, journal }));
  const child = spawn(process.execPath, [script, planFile], { stdio: ['ignore', 'pipe', 'pipe'] });
  let logText = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logText += text;
  });
  let timer: NodeJS.Timeout | undefined;
  child.stdout.once('data', () => {
    end.onReady?.();
    timer = setTimeout(() => child.kill('SIGKILL'), end.killAfterMs);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`A worker ended with ${code ?? signal}:\n${logText}`);
  const entries = readJournal(journal);
  const killing = entries.find((entry) => entry.kind === 'killing');
  return {
    entries,
    killedAt: signal === null ? undefined : (killing?.phase ?? 'outside'),
    errors: logText.split('\n').filter((line) => line.includes('"level":"error"')),
  };
}
