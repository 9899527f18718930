// The options of the plugin: the program's own templates.
import { didYouMean } from '../../core/unstable.ts';
import { eventKeys } from './kit/kit.ts';

/** Your own text for an event. It replaces the built-in text. */
export interface SocialEventTemplate {
  readonly eventKey: string;
  /** (Default: every channel for which no other template of the event exists) */
  readonly channelId?: string;
  /** Liquid without HTML escaping, with the variables of the event's contract. */
  readonly caption: string;
  /** Single words, with or without #. (Default: none) */
  readonly hashtags?: readonly string[];
}

/** Options of `socialEventsPlugin`. */
export interface SocialEventsOptions {
  /** Checked against the contracts of the built-in events when the service starts. (Default: none; the built-in texts are used) */
  readonly templates?: readonly SocialEventTemplate[];
}

const fields: ReadonlySet<string> = new Set(['eventKey', 'channelId', 'caption', 'hashtags']);

function faultOf(template: SocialEventTemplate, earlierTemplates: readonly SocialEventTemplate[]): string | undefined {
  const { eventKey, channelId, caption, hashtags = [] } = template;
  const unknownField = Object.keys(template).find((name) => !fields.has(name));
  if (unknownField !== undefined) return `has an unknown field ${unknownField}.`;
  if (!eventKeys.includes(eventKey)) return `names an unknown event ${eventKey}.${didYouMean(eventKey, eventKeys)}`;
  if (typeof caption !== 'string' || caption.trim() === '') return 'has no caption.';
  const invalidHashtag = hashtags.find((word) => !/^#?[^\s#]{1,100}$/u.test(word));
  if (invalidHashtag !== undefined) return `has a hashtag that is not one word: ${invalidHashtag}`;
  const isDuplicate = earlierTemplates.some((other) => other.eventKey === eventKey && other.channelId === channelId);
  return isDuplicate ? `is the second template of ${eventKey} for ${channelId ?? 'every channel'}.` : undefined;
}

/** @throws TypeError for an invalid template */
export function ownTemplates({ templates = [] }: SocialEventsOptions): readonly SocialEventTemplate[] {
  for (const [index, template] of templates.entries()) {
    const fault = faultOf(template, templates.slice(0, index));
    if (fault !== undefined) throw new TypeError(`socialEventsPlugin: templates[${index}] ${fault}`);
  }
  return templates;
}
