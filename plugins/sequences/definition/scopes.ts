// The scope and tier that each kind of node needs, for publishing and for running.
import type { SequenceNode } from './schema.ts';

/** The scope that the key needs to publish a node. */
export interface NodeNeed {
  readonly scope: string;
  /** The minimum tier of the workspace's plan. */
  readonly tier: number;
}

/** Undefined for a node that does not need a scope. */
export function needOf(node: SequenceNode): NodeNeed | undefined {
  switch (node.kind) {
    case 'send_email':
      return { scope: 'templates:send', tier: 0 };
    case 'send_sms':
      return { scope: 'messaging.transactional.send', tier: 0 };
    case 'social_event':
      return node.outcome === 'publish'
        ? { scope: 'social:posts:publish', tier: 2 }
        : { scope: 'social:posts:write', tier: 0 };
    case 'webhook':
      return { scope: 'webhooks:manage', tier: 0 };
    case 'update_contact':
      return { scope: 'contacts:write', tier: 0 };
    case 'add_to_list':
    case 'remove_from_list':
      return { scope: 'lists:write', tier: 0 };
    case 'enroll':
      return { scope: 'sequences:trigger', tier: 0 };
    default:
      return undefined;
  }
}
