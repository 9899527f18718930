// Time limits of many short pieces of work, with one shared timer: a timer for each piece would cost more than an empty job.
// Called by attempts of jobs and by outgoing requests. The timer keeps the process alive only while work is running.

interface Deadline {
  /** When the limit ends, by `performance.now()`. */
  readonly at: number;
  readonly work: () => void;
}

/** The longest time that setTimeout can wait. */
const longestTimerMs = 2 ** 31 - 1;

const pendingDeadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;
let timerEndsAt = Number.POSITIVE_INFINITY;

function arm(at: number): void {
  if (timerEndsAt <= at) return;
  clearTimeout(timer);
  timerEndsAt = at;
  timer = setTimeout(runDue, Math.min(longestTimerMs, Math.max(1, at - performance.now())));
}

function runDue(): void {
  timer = undefined;
  timerEndsAt = Number.POSITIVE_INFINITY;
  const now = performance.now();
  const due = [...pendingDeadlines].filter(({ at }) => at <= now);
  for (const deadline of due) pendingDeadlines.delete(deadline);
  let next = Number.POSITIVE_INFINITY;
  for (const { at } of pendingDeadlines) next = Math.min(next, at);
  if (pendingDeadlines.size > 0) arm(next);
  for (const { work } of due) work();
}

/** Calls `work` after this many milliseconds, unless the returned function was called before. `work` must not throw. */
export function afterLimit(ms: number, work: () => void): () => void {
  const deadline = { at: performance.now() + ms, work };
  pendingDeadlines.add(deadline);
  arm(deadline.at);
  timer?.ref();
  return () => {
    pendingDeadlines.delete(deadline);
    if (pendingDeadlines.size === 0) timer?.unref();
  };
}
