// A run at a node with an action. Its contact exists.
import type { KnownContact } from '../../../contacts/index.ts';
import type { OpenRun } from '../open-run.ts';

export interface RunAtNode extends OpenRun {
  readonly contact: KnownContact;
  readonly nodeId: string;
}
