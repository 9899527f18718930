// The audit log of the last 90 days and the requests of the last day, read-only. The pipeline writes them.
export { auditPlugin } from './plugin.ts';
