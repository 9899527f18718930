// Evaluates the output of one test file, and names the slowest files and the tests that were skipped. Called by runner.ts once a child
// process has ended. Never trusts an exit code alone: uvu exits with 0 if a suite's `.run()` was forgotten.

/** The result of a child process. */
export interface ChildResult {
  /** Everything it wrote to standard output. */
  stdout: string;
  /** Standard output and standard error in the order in which they arrived. */
  output: string;
  /** Its exit code, or null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The time limit in seconds that it exceeded, or null if it ended by itself. */
  overran: number | null;
}

/** The counts of one file, and why it failed. */
export interface Verdict {
  passed: number;
  failed: number;
  skipped: number;
  /** One sentence, or null if the file passed. */
  complaint: string | null;
  /** The file's lines that start with `# left out:`. */
  notes: string[];
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const summary = /^ {2}Total: +(\d+)\r?\n {2}Passed: +(\d+)\r?\n {2}Skipped: +(\d+)$/gm;
const groupReport = /^# file (\d+) of the group begins\n([\s\S]*?)^# file \1 of the group ended after (\d+) ms$/gm;
const failure = /^ *FAIL {2}.*"$/gm;
const note = /^# left out:.*$/gm;

/**
 * Adds up the summaries that uvu printed and decides whether the file passed. A file that executed no test passes only if it names
 * the service that it misses; services.ts throws instead if services are required.
 */
export function judge(result: ChildResult): Verdict {
  const counts = { total: 0, passed: 0, skipped: 0 };
  for (const [, total, passed, skipped] of result.stdout.replace(colours, '').matchAll(summary)) {
    counts.total += Number(total);
    counts.passed += Number(passed);
    counts.skipped += Number(skipped);
  }
  const failedTests = counts.total - counts.passed;
  const notes: string[] = result.output.match(note) ?? [];
  const leftOut = notes.length > 0;
  const hooks = failedTests > (result.stdout.replace(colours, '').match(failure) ?? []).length;
  const complaint = complaintAbout(result, counts.total, failedTests, { leftOut, hooks });
  return {
    passed: counts.passed,
    failed: complaint === null ? 0 : Math.max(1, failedTests),
    skipped: counts.skipped,
    complaint,
    notes,
  };
}

function complaintAbout(
  { code, signal, overran }: ChildResult,
  total: number,
  failedTests: number,
  { leftOut, hooks }: { readonly leftOut: boolean; readonly hooks: boolean },
): string | null {
  if (overran !== null) {
    const state =
      total > 0 ? 'its tests had ended, but something it opened kept the process alive' : 'no test had ended';
    return `ran past its time limit of ${overran} s and was killed: ${state}`;
  }
  const cause = hooks ? ': a hook failed (before, before.each or after), and uvu does not show its error' : '';
  if (failedTests > 0) return `${failedTests} of ${total} tests failed${cause}`;
  if (signal !== null) return `was ended by ${signal}`;
  if (code !== 0) return `exited with code ${code}${total > 0 ? ' although every test passed' : ''}`;
  if (total === 0 && !leftOut) return 'no test was executed: does it end with .run()?';
  return null;
}

/** True if the last summary in the output counts a failure. */
export function endsInFailure(stdout: string): boolean {
  const last = [...stdout.replace(colours, '').matchAll(summary)].at(-1);
  return last !== undefined && last[1] !== last[2];
}

/** The line that a group's process prints before the report of file number `index`. */
export const startLine = (index: number): string => `\n# file ${index} of the group begins\n`;

/** The line that it prints after that report. */
export const endLine = (index: number, ms: number): string =>
  `\n# file ${index} of the group ended after ${ms.toFixed(0)} ms\n`;

/** A file that passed in a group, and how long it took. */
export interface PassedInGroup {
  verdict: Verdict;
  seconds: number;
}

/**
 * The files of a group that passed, by their index in the group. Empty unless the process ended by itself with code 0: a file that passed
 * may have left work that ended the process during another file.
 */
export function passedInGroup(result: ChildResult): Map<number, PassedInGroup> {
  const passedFiles = new Map<number, PassedInGroup>();
  if (result.code !== 0 || result.overran !== null) return passedFiles;
  for (const [, index, report = '', ms] of result.stdout.matchAll(groupReport)) {
    const verdict = judge({ ...result, stdout: report, output: report });
    if (verdict.complaint === null) passedFiles.set(Number(index), { verdict, seconds: Number(ms) / 1000 });
  }
  return passedFiles;
}

/** Why the files of a group run again alone. */
export function rerunReason({ code, signal, overran }: ChildResult): string {
  if (overran !== null) return `ran past the time limit of ${overran} s, with one of them or after the last`;
  if (signal !== null) return `was ended by ${signal}`;
  return code === 0 ? 'showed a failure in each' : `exited with code ${code}`;
}

/** The ten slowest files, slowest first, one on each line; empty for a single file, whose own line already shows its time. */
export function slowest(secondsOf: ReadonlyMap<string, number>): string[] {
  if (secondsOf.size < 2) return [];
  const total = [...secondsOf.values()].reduce((sum, seconds) => sum + seconds, 0);
  const longest = [...secondsOf].sort(([, one], [, otherSeconds]) => otherSeconds - one).slice(0, 10);
  return [
    `# the slowest of ${secondsOf.size} files, which took ${total.toFixed(0)} s one after another:`,
    ...longest.map(([file, seconds]) => `#   ${seconds.toFixed(1).padStart(6)} s  ${file}`),
  ];
}

/**
 * One line with everything that was skipped: the notes of files, and the number of files that only the full run includes, by reason.
 * Undefined if nothing was skipped.
 */
export function leftOutLine(
  notes: ReadonlySet<string>,
  onlyInFullRun: readonly string[],
  isQuick: boolean,
): string | undefined {
  const parts = [...notes].map((line) => line.replace(/^# left out: */, ''));
  if (onlyInFullRun.length > 0) {
    const reasons = [...new Set(onlyInFullRun)].sort();
    const countsByReason = reasons.map(
      (reason) => `${onlyInFullRun.filter((word) => word === reason).length} ${reason}`,
    );
    parts.push(
      `${onlyInFullRun.length} files of ${isQuick ? 'the full run' : 'long runs'} (${countsByReason.join(', ')})`,
    );
  }
  if (parts.length === 0) return undefined;
  return `# left out: ${parts.join('; ')}${isQuick ? '. `npm run test:all` runs all of it' : ''}`;
}
