// A run of test files, from their names to the last line. Called by run.ts, and by the test of the runner. Never passes a file because of
// its exit code alone, and never skips a file silently.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longTests } from './long-tests.ts';
import { groupProgram, runTestFile, runTestGroup, type TestRunEnvironment } from './runner-child.ts';
import {
  type FileNeeds,
  fullRunOf,
  groupIntoProcesses,
  selectTestFiles,
  timeLimitOf,
  wantsOwnProcess,
} from './runner-files.ts';
import { judge, leftOutLine, passedInGroup, rerunReason, slowest, type Verdict } from './runner-summary.ts';

/** A run, as run.ts describes it. */
export interface RunSettings {
  /** The working directory, to which all names are relative. */
  readonly root: string;
  readonly names: readonly string[];
  readonly jobs: number;
  readonly retries: number;
  /** The time limit of a file in seconds. */
  readonly limit: number;
  readonly groupSize: number;
  /** Skips the files of the full run, and turns all services off. */
  readonly isQuick: boolean;
  /** A file with the names of files that passed completely, and the number of tests in each. */
  readonly passedBefore?: string | undefined;
  /** The files that may run, out of the named files. (Default: all) */
  readonly reached?: () => Promise<ReadonlySet<string>>;
  /** Returns the folder with these files as JavaScript. (Default: they run from their sources) */
  readonly compile?: (files: readonly string[]) => Promise<string>;
  readonly say: (text: string) => void;
}

/** Runs the files. Returns true if everything passed. */
export async function runTests(settings: RunSettings): Promise<boolean> {
  const { root, say } = settings;
  const { files: namedFiles, complaints } = selectTestFiles(settings.names, root);
  for (const complaint of complaints) say(`FAIL  ${complaint}`);
  const sources = new Map(namedFiles.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const reachedFiles = await settings.reached?.();
  if (reachedFiles !== undefined)
    say(
      `# the change reaches ${namedFiles.filter((file) => reachedFiles.has(file)).length} of ${namedFiles.length} test files`,
    );
  const before = readPassed(settings.passedBefore);
  const onlyInFullRun: string[] = [];
  const files: string[] = [];
  const totals = { passed: 0, failed: complaints.length, skipped: 0 };
  for (const [file, source] of sources) {
    const why = fullRunOf(source);
    const isLeftOut = (settings.isQuick && why !== undefined) || (why === 'long' && !longTests);
    // A `long` file runs if it is named itself.
    if (isLeftOut && !(why === 'long' && settings.names.includes(file))) onlyInFullRun.push(why);
    else if (before.has(file)) totals.passed += before.get(file) ?? 0;
    else if (reachedFiles === undefined || reachedFiles.has(file)) files.push(file);
  }
  if (before.size > 0) say(`# ${before.size} files passed in an earlier run and count here`);

  const services = settings.isQuick ? { POSTRIDER_TEST_SERVICES: 'none' } : {};
  const environment: TestRunEnvironment = { root, compiled: await compile(settings, files), environment: services };
  const notes = new Set<string>();
  const repeatedFiles: string[] = [];
  const flaky: string[] = [];
  const secondsOf = new Map<string, number>();

  const limitOf = (file: string): number => timeLimitOf(sources.get(file) ?? '', settings.limit);
  /** If a file's time limit cannot be read, the file fails when it runs. */
  const needsOf = (file: string): FileNeeds => {
    try {
      const limit = limitOf(file);
      return { limit, alone: limit > settings.limit || wantsOwnProcess(sources.get(file) ?? '') };
    } catch {
      return { limit: settings.limit, alone: true };
    }
  };

  const report = (file: string, verdict: Verdict, output: string, seconds: number, counts: boolean): void => {
    if (counts) {
      totals.passed += verdict.passed;
      totals.failed += verdict.failed;
      totals.skipped += verdict.skipped;
    }
    for (const line of verdict.notes) notes.add(line);
    secondsOf.set(file, (secondsOf.get(file) ?? 0) + seconds);
    const took = `(${seconds.toFixed(1)} s)`;
    if (verdict.complaint !== null) {
      say(`FAIL  ${file}: ${verdict.complaint} ${took}\n${output.trimEnd()}\n      end of ${file}`);
      return;
    }
    const skippedText = verdict.skipped > 0 ? `, ${verdict.skipped} skipped` : '';
    say(`${verdict.passed > 0 ? 'ok   ' : 'left '} ${file}: ${verdict.passed} passed${skippedText} ${took}`);
    const isComplete = verdict.passed > 0 && verdict.notes.length === 0 && verdict.skipped === 0;
    if (isComplete && settings.passedBefore !== undefined)
      appendFileSync(settings.passedBefore, `${verdict.passed} ${file}\n`);
  };

  const runAndJudge = async (file: string): Promise<{ verdict: Verdict; output: string }> => {
    try {
      const result = await runTestFile(file, environment, limitOf(file));
      return { verdict: judge(result), output: result.output };
    } catch (error) {
      const complaint = `could not be run: ${error instanceof Error ? error.message : String(error)}`;
      return { verdict: { passed: 0, failed: 1, skipped: 0, complaint, notes: [] }, output: '' };
    }
  };

  const runAlone = async (file: string): Promise<void> => {
    const startedAt = performance.now();
    const { verdict, output } = await runAndJudge(file);
    const mayRunAgain = settings.retries > 0 && verdict.complaint !== null;
    if (mayRunAgain) repeatedFiles.push(file);
    report(file, verdict, output, (performance.now() - startedAt) / 1000, !mayRunAgain);
  };

  /** Reports the files that passed, and returns the other files, which run again alone. */
  const runTogether = async (group: readonly string[]): Promise<string[]> => {
    const result = await runTestGroup(group, environment, settings.limit);
    const passedFiles = passedInGroup(result);
    for (const [index, { verdict, seconds }] of passedFiles) report(group[index] ?? '', verdict, '', seconds, true);
    const otherFiles = group.filter((_, index) => !passedFiles.has(index));
    if (otherFiles.length > 0)
      say(
        `# run again by themselves: ${otherFiles.join(', ')}. The process that ran ${group.length} files ${rerunReason(result)}:\n${result.output.trimEnd()}\n# end of that process`,
      );
    return otherFiles;
  };

  const runAgain = async (file: string): Promise<void> => {
    for (let retry = 1; retry <= settings.retries; retry += 1) {
      const startedAt = performance.now();
      const { verdict, output } = await runAndJudge(file);
      if (verdict.complaint === null) flaky.push(file);
      const last = verdict.complaint === null || retry === settings.retries;
      report(file, verdict, output, (performance.now() - startedAt) / 1000, last);
      if (last) return;
    }
  };

  const waiting = groupIntoProcesses(files, needsOf, settings.groupSize).values();
  const runWaiting = async (): Promise<void> => {
    for (const together of waiting) {
      const aloneFiles = together.length > 1 ? await runTogether(together) : together;
      for (const file of aloneFiles) await runAlone(file);
    }
  };
  await Promise.all(Array.from({ length: settings.jobs }, runWaiting));
  for (const file of repeatedFiles) await runAgain(file);
  for (const file of flaky) say(`FLAKY ${file}: failed, and passed when it ran again by itself`);

  for (const line of slowest(secondsOf)) say(line);
  const leftOut = leftOutLine(notes, onlyInFullRun, settings.isQuick);
  if (leftOut !== undefined) say(leftOut);
  const skippedText = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
  say(`${totals.passed} passed, ${totals.failed} failed${skippedText}`);
  return totals.failed === 0;
}

/** If the files cannot be compiled, they run from their sources, which shows the cause. */
async function compile({ compile: write, say }: RunSettings, files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  try {
    return await write?.([...files, groupProgram]);
  } catch (error) {
    say(`# not compiled: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function readPassed(path: string | undefined): ReadonlyMap<string, number> {
  if (path === undefined || !existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, tests, file] = /^(\d+) (.+)$/.exec(line) ?? [];
      return file === undefined ? [] : [[file, Number(tests)] as const];
    }),
  );
}
