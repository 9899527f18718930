// What compiling one template may cost. Read by the compiler's threads and by the messages that name the limits.

/** Seconds of one step of compiling one body. The largest templates allowed take less than one on an idle machine. */
export const STEP_SECONDS = 5;

/** Seconds until a new thread is ready, and until it has loaded the packages that compile. */
export const LOADING_SECONDS = 60;

/** Megabytes of memory of one thread, with the packages that compile, which take about 60. */
export const THREAD_MEGABYTES = 256;

/** Threads of one service. A workspace uses one at a time, so that it cannot hold up all others. */
export const THREADS = 2;

/** Templates that wait for a thread: of one workspace, and of all. */
export const WAITING_OF_WORKSPACE = 20;
export const WAITING = 100;

/** Seconds after which an idle thread ends and gives its memory back. */
export const IDLE_SECONDS = 300;

/** Seconds for which an idle thread outlives its service, for the next one of the process. */
export const SPARE_SECONDS = 5;
