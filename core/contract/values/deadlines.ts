// Time limits of many short pieces of work, with one shared timer: a timer for each piece would cost more than an empty job.
// Called by attempts of jobs and by outgoing requests. The timer keeps the process alive only while work is running.

interface Deadline {
  /** When the limit ends, by `performance.now()`. */
  readonly at: number;
  readonly work: () => void;
}

/** The longest time that setTimeout can wait. */
const longestTimerMs = 2 ** 31 - 1;

const waiting = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;
let armedFor = Number.POSITIVE_INFINITY;

function arm(at: number): void {
  if (armedFor <= at) return;
  clearTimeout(timer);
  armedFor = at;
  timer = setTimeout(runDue, Math.min(longestTimerMs, Math.max(1, at - performance.now())));
}

function runDue(): void {
  timer = undefined;
  armedFor = Number.POSITIVE_INFINITY;
  const now = performance.now();
  const due = [...waiting].filter(({ at }) => at <= now);
  for (const deadline of due) waiting.delete(deadline);
  let next = Number.POSITIVE_INFINITY;
  for (const { at } of waiting) next = Math.min(next, at);
  if (waiting.size > 0) arm(next);
  for (const { work } of due) work();
}

/** Calls `work` after this many milliseconds, unless the returned function was called before. `work` must not throw. */
export function afterLimit(ms: number, work: () => void): () => void {
  const deadline = { at: performance.now() + ms, work };
  waiting.add(deadline);
  arm(deadline.at);
  timer?.ref();
  return () => {
    waiting.delete(deadline);
    if (waiting.size === 0) timer?.unref();
  };
}
