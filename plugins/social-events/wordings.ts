// `ctx.services.socialEventWordings`: the caption of each event on each channel, parsed and checked against the contract of the event.
import type { ServiceContext } from '../../core/index.ts';
import type { TextTemplate } from '../templates/index.ts';
import { findEvent, type KitEvent, kit } from './kit/kit.ts';
import type { SocialEventTemplate } from './options.ts';

/** The wording of an event on a channel. */
export interface ChannelWording {
  readonly eventKey: string;
  readonly channelId: string;
  readonly caption: string;
  readonly hashtags: readonly string[];
  readonly wording: 'kit' | 'own';
}

/** Finds and renders the wordings of events. */
export interface Wordings {
  /** Whether the kit has the event. */
  hasEvent(eventKey: string): boolean;
  of(event: KitEvent, channelId: string): ChannelWording;
  /** Checks variables and fills in defaults. @throws variables_invalid */
  accept(event: KitEvent, variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Renders a wording, with its hashtags, from variables that `accept` returned. @throws variables_invalid */
  render(wording: ChannelWording, variables: Readonly<Record<string, unknown>>, now: number): string;
}

/** The minimum length limit of a network, in characters, for the full caption. Other networks get the short one. */
const minLimitForFull = 1_000;

/** The number of hashtags from the kit, by channel. (Default: 1) */
const hashtagCounts: Readonly<Record<string, number>> = {
  reddit: 0,
  facebook: 1,
  linkedin: 3,
  instagram: 3,
  tiktok: 3,
};

const withoutSign = (tag: string): string => tag.replace(/^#/, '');

function kitWording({ eventKey, wording }: KitEvent, channelId: string, room: number): ChannelWording {
  const count = hashtagCounts[channelId] ?? 1;
  const caption = room < minLimitForFull ? wording.short : wording.full;
  return { eventKey, channelId, caption, hashtags: wording.hashtags.slice(0, count), wording: 'kit' };
}

/** Creates the service. @throws TypeError if a template of the program uses a variable that the contract of its event lacks */
export const createWordings =
  (ownTemplates: readonly SocialEventTemplate[]) =>
  ({ services }: ServiceContext): Wordings => {
    const { socialChannels: channels, templates } = services;
    const texts = new Map<string, TextTemplate>();
    const textOf = ({ eventKey, variables }: KitEvent, body: string): TextTemplate => {
      const key = `${eventKey} ${body}`;
      const text = texts.get(key) ?? templates.text({ body, variables: { ...variables } });
      texts.set(key, text);
      return text;
    };
    const eventOf = (eventKey: string): KitEvent => {
      const event = findEvent(eventKey);
      if (event === undefined) throw new TypeError(`There is no built-in event ${eventKey}.`);
      return event;
    };
    for (const [index, { eventKey, channelId, caption }] of ownTemplates.entries()) {
      const templateName = `socialEventsPlugin: templates[${index}] (${eventKey})`;
      if (channelId !== undefined && !channels.ids.includes(channelId))
        throw new TypeError(
          `${templateName}: there is no channel ${channelId}. Available: ${channels.ids.join(', ')}.`,
        );
      const event = eventOf(eventKey);
      try {
        const text = textOf(event, caption);
        for (const example of event.variables.examples) text.render(eventKey, text.accept(eventKey, example), 0);
      } catch (error) {
        throw new TypeError(`${templateName}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
    for (const event of kit) for (const body of [event.wording.short, event.wording.full]) textOf(event, body);
    return {
      hasEvent: (eventKey) => findEvent(eventKey) !== undefined,
      of(event, channelId) {
        const { eventKey } = event;
        const ownOfEvent = ownTemplates.filter((template) => template.eventKey === eventKey);
        const ownTemplate =
          ownOfEvent.find((template) => template.channelId === channelId) ??
          ownOfEvent.find((template) => template.channelId === undefined);
        if (ownTemplate === undefined) return kitWording(event, channelId, channels.rulesOf(channelId)?.text.max ?? 0);
        const hashtags = (ownTemplate.hashtags ?? []).map(withoutSign);
        return { eventKey, channelId, caption: ownTemplate.caption, hashtags, wording: 'own' };
      },
      accept: (event, variables) => textOf(event, event.wording.short).accept(event.eventKey, variables),
      render({ eventKey, caption, hashtags }, variables, now) {
        const text = textOf(eventOf(eventKey), caption).render(eventKey, variables, now);
        const captionText = text.replaceAll(/\n{3,}/g, '\n\n').trim();
        return [captionText, hashtags.map((tag) => `#${tag}`).join(' ')].filter((part) => part !== '').join('\n\n');
      },
    };
  };
