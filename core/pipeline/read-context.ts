// The context of reads: the rows of one workspace, the services and the ports. Made for reads of plugins outside of a
// transaction. It never writes.
import type { ReadContext, ServiceContext } from '../contract/context/context.ts';
import type { WorkspaceHandle } from '../contract/context/handle.ts';

/** A context on a handle. On a handle of both sides `sandbox` is false. */
export const readContextOf = (
  { services, ports, log }: ServiceContext,
  trx: WorkspaceHandle,
  now: number,
): ReadContext => ({ services, ports, log, trx, now, sandbox: trx.sandbox === true });
