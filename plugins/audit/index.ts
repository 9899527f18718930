// The audit log of the last 90 days, read-only. The pipeline writes it.
export { auditPlugin } from './plugin.ts';
