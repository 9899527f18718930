import type { JobContext } from '../../core/index.ts';

/** The user of a connector: a job, outside of any transaction. */
export type ConnectorCaller = Pick<JobContext, 'workspace' | 'read' | 'checkpoint' | 'signal'>;
