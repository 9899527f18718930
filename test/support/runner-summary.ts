// Evaluates the output of one test file, names the slowest files and what was left out. Called by runner.ts once a child process has ended.
// Never trusts an exit code alone: uvu exits with 0 when a suite's `.run()` was forgotten.

/** The result of a child process. */
export interface ChildOutcome {
  /** Everything it wrote to standard output. */
  stdout: string;
  /** Standard output and standard error in the order in which they arrived. */
  output: string;
  /** Its exit code, or null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The limit in seconds that it overran, or null when it ended by itself. */
  overran: number | null;
}

/** The counts of one file, and the reason of its failure. */
export interface Verdict {
  passed: number;
  failed: number;
  skipped: number;
  /** One sentence, or null when the file passed. */
  complaint: string | null;
  /** The file's lines that start with `# left out:`. */
  notes: string[];
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const summary = /^ {2}Total: +(\d+)\r?\n {2}Passed: +(\d+)\r?\n {2}Skipped: +(\d+)$/gm;
const groupReport = /^# file (\d+) of the group begins\n([\s\S]*?)^# file \1 of the group ended after (\d+) ms$/gm;
const note = /^# left out:.*$/gm;

/**
 * Sums the summaries that uvu printed and decides whether the file passed. One that executed no test passes only where it
 * names what it misses; services.ts lets none say so where services are required.
 */
export function judge(outcome: ChildOutcome): Verdict {
  const counts = { total: 0, passed: 0, skipped: 0 };
  for (const [, total, passed, skipped] of outcome.stdout.replace(colours, '').matchAll(summary)) {
    counts.total += Number(total);
    counts.passed += Number(passed);
    counts.skipped += Number(skipped);
  }
  const failedTests = counts.total - counts.passed;
  const notes: string[] = outcome.output.match(note) ?? [];
  const leftOut = notes.length > 0;
  const complaint = complaintAbout(outcome, counts.total, failedTests, leftOut);
  return {
    passed: counts.passed,
    failed: complaint === null ? 0 : Math.max(1, failedTests),
    skipped: counts.skipped,
    complaint,
    notes,
  };
}

function complaintAbout(
  { code, signal, overran }: ChildOutcome,
  total: number,
  failedTests: number,
  leftOut: boolean,
): string | null {
  if (overran !== null) {
    const state =
      total > 0 ? 'its tests had ended, but something it opened kept the process alive' : 'no test had ended';
    return `ran past its time limit of ${overran} s and was killed: ${state}`;
  }
  if (failedTests > 0) return `${failedTests} of ${total} tests failed`;
  if (signal !== null) return `was ended by ${signal}`;
  if (code !== 0) return `exited with code ${code}${total > 0 ? ' although every test passed' : ''}`;
  if (total === 0 && !leftOut) return 'no test was executed: does it end with .run()?';
  return null;
}

/** What a group's process prints before the report of its file number `index`. */
export const startLine = (index: number): string => `\n# file ${index} of the group begins\n`;

/** What it prints after that report. */
export const endLine = (index: number, ms: number): string =>
  `\n# file ${index} of the group ended after ${ms.toFixed(0)} ms\n`;

/** A file that passed in a group, and how long it took. */
export interface PassedInGroup {
  verdict: Verdict;
  seconds: number;
}

/**
 * Those of a group's files that passed, by their place in the group. None when the process did not end by itself and
 * with 0: something that one of the files left behind may have ended it at another.
 */
export function passedInGroup(outcome: ChildOutcome): Map<number, PassedInGroup> {
  const passed = new Map<number, PassedInGroup>();
  if (outcome.code !== 0 || outcome.overran !== null) return passed;
  for (const [, index, report = '', ms] of outcome.stdout.matchAll(groupReport)) {
    const verdict = judge({ ...outcome, stdout: report, output: report });
    if (verdict.complaint === null) passed.set(Number(index), { verdict, seconds: Number(ms) / 1000 });
  }
  return passed;
}

/** Why files of a group run again by themselves. */
export function whyAgain({ code, signal, overran }: ChildOutcome): string {
  if (overran !== null) return `ran past the time limit of ${overran} s, with one of them or after the last`;
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? 'showed a failure in each' : `exited with code ${code}`;
}

/**
 * The ten files that took longest, the longest first, one on each line; empty for a single file, whose line shows its
 * time already.
 */
export function slowest(secondsOf: ReadonlyMap<string, number>): string[] {
  if (secondsOf.size < 2) return [];
  const total = [...secondsOf.values()].reduce((sum, seconds) => sum + seconds, 0);
  const longest = [...secondsOf].sort(([, one], [, other]) => other - one).slice(0, 10);
  return [
    `# the slowest of ${secondsOf.size} files, which took ${total.toFixed(0)} s one after another:`,
    ...longest.map(([file, seconds]) => `#   ${seconds.toFixed(1).padStart(6)} s  ${file}`),
  ];
}

/**
 * What was left out, in one line: the notes of files, and how many files only the full run has, by their reasons. Undefined
 * where nothing was.
 */
export function leftOutLine(
  notes: ReadonlySet<string>,
  onlyInFullRun: readonly string[],
  isQuick: boolean,
): string | undefined {
  const parts = [...notes].map((line) => line.replace(/^# left out: */, ''));
  if (onlyInFullRun.length > 0) {
    const reasons = [...new Set(onlyInFullRun)].sort();
    const counted = reasons.map((reason) => `${onlyInFullRun.filter((word) => word === reason).length} ${reason}`);
    parts.push(`${onlyInFullRun.length} files of ${isQuick ? 'the full run' : 'long runs'} (${counted.join(', ')})`);
  }
  if (parts.length === 0) return undefined;
  return `# left out: ${parts.join('; ')}${isQuick ? '. `npm run test:all` has it all' : ''}`;
}
