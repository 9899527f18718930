// The limits of compiling one template. Read by the compiler's threads and by the messages that name the limits.

/**
 * Seconds of one step of compiling one body. The largest allowed templates take less than one second on an idle
 * machine.
 */
export const STEP_SECONDS = 5;

/** Seconds until a new thread is ready and has loaded the packages that compile. */
export const LOADING_SECONDS = 60;

/** Megabytes of memory of one thread, including the packages that compile, which take about 60. */
export const THREAD_MEGABYTES = 256;

/** Threads of one service. A workspace uses one at a time, so that it cannot block all others. */
export const THREADS = 2;

/** The maximum number of templates that wait for a thread: for one workspace, and in total. */
export const WAITING_OF_WORKSPACE = 20;
export const WAITING = 100;

/** Seconds after which an idle thread ends and frees its memory. */
export const IDLE_SECONDS = 300;

/** Seconds for which an idle thread outlives its service, so that the next service of the process can reuse it. */
export const SPARE_SECONDS = 5;
