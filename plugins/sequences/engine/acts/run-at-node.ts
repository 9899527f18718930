// A run at the node that acts: its contact is there.
import type { KnownContact } from '../../../contacts/index.ts';
import type { OpenRun } from '../open-run.ts';

/** An open run at a node. */
export interface RunAtNode extends OpenRun {
  readonly contact: KnownContact;
  readonly nodeId: string;
}
