// The states of a page and of its build, and the calls that are refused in them.
import { coreErrors } from '../../core/index.ts';

export type PageStatus = 'draft' | 'published' | 'unpublished';
/** `retired`: imported HTML, which is neither composed nor edited by sections. */
export type PageEditor = 'current' | 'retired';
export type ComposeStatus = 'queued' | 'building' | 'ready' | 'failed';

/** Whether a build runs or waits to run. */
export const isBuilding = (status: ComposeStatus): boolean => status === 'queued' || status === 'building';

/** @throws state_conflict while a build runs */
export function checkNotBuilding({ id, compose_status: status }: { id: string; compose_status: ComposeStatus }): void {
  if (isBuilding(status))
    throw coreErrors.state_conflict({
      reason: `The page ${id} is being built (${status}). Wait until its composeStatus is ready: the event page.ready or GET /v1/pages/${id} says so.`,
    });
}
