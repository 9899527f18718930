// The simulated world: a contact, lists and messages in memory. It refuses the same actions as the engine, for the same reasons.

import { isPostriderError, type PostriderError } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { DecisionReason, Forecast } from '../../email/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import type { Definition } from '../definition/schema.ts';
import type { Action, ActionResult, RunContact } from '../interpreter/types.ts';
import type { World } from './simulate.ts';

/** The state of the world when the simulation begins. */
export interface InitialWorld {
  readonly contact: RunContact;
  /** Decides on mail to the contact. */
  readonly forecast: Forecast;
  /** Lists in which the contact is confirmed. */
  readonly lists: ReadonlySet<string>;
  /** Maps each list to whether an added contact has to confirm. */
  readonly confirms: ReadonlyMap<string, boolean>;
  /** The templates that the definition names, or the error if a template cannot be sent. */
  readonly templates: ReadonlyMap<string, ResolvedTemplate | PostriderError>;
  readonly settings: Definition['settings'];
  /** Whether the caller may not see templates. Mails are then sent without checking their templates. */
  readonly unseen: boolean;
}

/** A message that the run would have sent. */
export interface SimulatedMessage {
  readonly nodeId: string;
  readonly at: number;
  readonly action: Extract<Action, { kind: 'send_email' | 'send_sms' }>;
  /** With defaults filled in. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it counts against the caps of the marketing calendar. (Default: false) */
  readonly isMarketing?: boolean;
}

/** A message that the run tried to send, whether it was sent or not. */
export type AttemptedMessage = Pick<SimulatedMessage, 'nodeId' | 'action'>;

const dayMs = 86_400_000;
const capMs = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;

/** Whether a mail with this reason is not sent at all. A hold may end at any time, so a simulation does not wait for it. */
const stopsMail = ({ code }: DecisionReason): boolean => code !== 'reputation_hold';

const skipped = (reason: string): ActionResult => ({ kind: 'skipped', reason });

/** A world that also records the messages of its run. */
interface SimulatedWorld extends World {
  readonly messages: readonly SimulatedMessage[];
  readonly attempted: readonly AttemptedMessage[];
}

/** Creates a world. `messages` and `asked` fill up while the run continues. */
export function createWorld(before: InitialWorld): SimulatedWorld {
  const { templates, settings, confirms } = before;
  let { contact } = before;
  const lists = new Set(before.lists);
  const messages: SimulatedMessage[] = [];
  const attempted: AttemptedMessage[] = [];

  function isCapped(kind: 'send_email' | 'send_sms', at: number): boolean {
    const { cap } = settings;
    if (cap === undefined || kind !== `send_${cap.channel}`) return false;
    const since = at - capMs[cap.per];
    return messages.filter((one) => one.action.kind === kind && one.at > since).length >= cap.max;
  }

  function sendEmail(action: Extract<Action, { kind: 'send_email' }>, nodeId: string, at: number): ActionResult {
    if (contact.email === null) return skipped('no_address');
    if (isCapped('send_email', at)) return skipped('capped');
    const template = templates.get(action.templateKey);
    if (before.unseen) {
      messages.push({ nodeId, at, action, variables: action.variables });
      return { kind: 'done' };
    }
    try {
      if (template === undefined) throw new Error(`The template ${action.templateKey} was not looked up.`);
      if (isPostriderError(template)) throw template;
      const { variables } = template.accept(action.variables, at);
      const earlier = messages.filter((one) => one.isMarketing).map((one) => one.at);
      const { reasons, after } = before.forecast(template, at, earlier);
      const [first] = reasons;
      if (first !== undefined && after !== undefined)
        return { kind: 'later', until: after, reason: first.code, isPlanned: true };
      const stops = reasons.find(stopsMail);
      if (stops !== undefined) return skipped(stops.code);
      messages.push({ nodeId, at, action, variables, isMarketing: template.category === 'marketing' });
      return { kind: 'done' };
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return { kind: 'failed', reason: beginning(`${error.code}: ${error.message}`, 500), final: true };
    }
  }

  return {
    messages,
    attempted,
    contact: () => contact,
    isMember: (listId) => lists.has(listId),
    perform(action, nodeId, at) {
      if (action.kind === 'send_email' || action.kind === 'send_sms') attempted.push({ nodeId, action });
      switch (action.kind) {
        case 'send_email':
          return sendEmail(action, nodeId, at);
        case 'send_sms':
          if (action.to === undefined) return skipped('no_phone');
          if (isCapped('send_sms', at)) return skipped('capped');
          messages.push({ nodeId, at, action, variables: action.variables });
          break;
        case 'update_contact': {
          const merged = Object.entries({ ...contact.attributes, ...action.attributes });
          contact = { ...contact, attributes: Object.fromEntries(merged.filter(([, value]) => value !== null)) };
          break;
        }
        case 'add_to_list':
          if (confirms.get(action.listId) === false) lists.add(action.listId);
          break;
        case 'remove_from_list':
          lists.delete(action.listId);
          break;
        default:
          break;
      }
      return { kind: 'done' };
    },
  };
}
