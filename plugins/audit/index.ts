// The audit log of the last 90 days, read only: the pipeline writes it.
export { auditPlugin } from './plugin.ts';
