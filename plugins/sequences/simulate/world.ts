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
  /** For each list, whether a contact that is added must confirm its membership. */
  readonly needsConfirmation: ReadonlyMap<string, boolean>;
  /** The templates in the definition, or the error if a template cannot be sent. */
  readonly templates: ReadonlyMap<string, ResolvedTemplate | PostriderError>;
  readonly settings: Definition['settings'];
  /** Whether the templates are hidden from the caller. Mails then count as sent, without a check of their templates. */
  readonly areTemplatesHidden: boolean;
}

/** A message that the run would have sent. */
export interface SimulatedMessage {
  readonly nodeId: string;
  readonly at: number;
  readonly action: Extract<Action, { kind: 'send_email' | 'send_sms' }>;
  /** With defaults filled in. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether the message counts against the caps of the marketing calendar. (Default: false) */
  readonly isMarketing?: boolean;
}

/** A message that the run tried to send, whether it was sent or not. */
export type AttemptedMessage = Pick<SimulatedMessage, 'nodeId' | 'action'>;

const dayMs = 86_400_000;
const capMs = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;

/**
 * Whether a mail with this reason is not sent at all. A simulation does not wait for the end of a hold, because a hold
 * may end at any time.
 */
const stopsMail = ({ code }: DecisionReason): boolean => code !== 'reputation_hold';

const skipResult = (reason: string): ActionResult => ({ kind: 'skipped', reason });

/** A world that also records the messages of its run. */
interface SimulatedWorld extends World {
  readonly messages: readonly SimulatedMessage[];
  readonly attemptedMessages: readonly AttemptedMessage[];
}

/** Creates a world. `messages` and `attemptedMessages` grow while the run continues. */
export function createWorld(initial: InitialWorld): SimulatedWorld {
  const { templates, settings, needsConfirmation: confirms } = initial;
  let { contact } = initial;
  const lists = new Set(initial.lists);
  const messages: SimulatedMessage[] = [];
  const attempted: AttemptedMessage[] = [];

  function isCapped(kind: 'send_email' | 'send_sms', at: number): boolean {
    const { cap } = settings;
    if (cap === undefined || kind !== `send_${cap.channel}`) return false;
    const windowStart = at - capMs[cap.per];
    return messages.filter((one) => one.action.kind === kind && one.at > windowStart).length >= cap.max;
  }

  function sendEmail(action: Extract<Action, { kind: 'send_email' }>, nodeId: string, at: number): ActionResult {
    if (contact.email === null) return skipResult('no_address');
    if (isCapped('send_email', at)) return skipResult('capped');
    const template = templates.get(action.templateKey);
    if (initial.areTemplatesHidden) {
      messages.push({ nodeId, at, action, variables: action.variables });
      return { kind: 'done' };
    }
    try {
      if (template === undefined) throw new Error(`The template ${action.templateKey} was not looked up.`);
      if (isPostriderError(template)) throw template;
      const { variables } = template.accept(action.variables, at);
      const marketingTimes = messages.filter((one) => one.isMarketing).map((one) => one.at);
      const { reasons, after } = initial.forecast(template, at, marketingTimes);
      const [first] = reasons;
      if (first !== undefined && after !== undefined)
        return { kind: 'later', until: after, reason: first.code, isPlanned: true };
      const stopReason = reasons.find(stopsMail);
      if (stopReason !== undefined) return skipResult(stopReason.code);
      messages.push({ nodeId, at, action, variables, isMarketing: template.category === 'marketing' });
      return { kind: 'done' };
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return { kind: 'failed', reason: beginning(`${error.code}: ${error.message}`, 500), final: true };
    }
  }

  return {
    messages,
    attemptedMessages: attempted,
    contact: () => contact,
    isMember: (listId) => lists.has(listId),
    perform(action, nodeId, at) {
      if (action.kind === 'send_email' || action.kind === 'send_sms') attempted.push({ nodeId, action });
      switch (action.kind) {
        case 'send_email':
          return sendEmail(action, nodeId, at);
        case 'send_sms':
          if (action.to === undefined) return skipResult('no_phone');
          if (isCapped('send_sms', at)) return skipResult('capped');
          messages.push({ nodeId, at, action, variables: action.variables });
          break;
        case 'update_contact': {
          const mergedEntries = Object.entries({ ...contact.attributes, ...action.attributes });
          contact = { ...contact, attributes: Object.fromEntries(mergedEntries.filter(([, value]) => value !== null)) };
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
