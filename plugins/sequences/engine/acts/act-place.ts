// Where a node acts: its run, with a contact.
import type { KnownContact } from '../../../contacts/index.ts';
import type { RunPlace } from '../place.ts';

/** A run at a node, whose contact is there. */
export interface ActPlace extends RunPlace {
  readonly contact: KnownContact;
  readonly nodeId: string;
}
