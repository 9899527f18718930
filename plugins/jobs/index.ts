// The failed jobs of a workspace: shows them, and lets them run again. The core runs the jobs.
export { jobsPlugin } from './plugin.ts';
