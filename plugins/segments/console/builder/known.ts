// Reads the names in the workspace that a form proposes for the conditions of a segment, as far as the person may see them.
import type { ConsoleContext } from '../../../../core/index.ts';
import type { Names } from '../sentence.ts';
import type { Choices, ProposedNames } from './kinds.ts';

/** The maximum number of names of each kind that the form offers. */
const maxChoices = 100;

async function choices<T>(
  isAllowed: boolean,
  list: () => Promise<{ readonly data: readonly T[] }>,
  choiceOf: (thing: T) => readonly [string, string],
): Promise<Choices> {
  return isAllowed ? (await list()).data.map(choiceOf) : [];
}

/** The names of attributes of the newest contacts. */
async function attributeNames({ calls, mayCall }: ConsoleContext): Promise<readonly string[]> {
  if (!mayCall('contacts.list')) return [];
  const { data } = await calls.contacts.list({ limit: maxChoices });
  return [...new Set(data.flatMap(({ attributes }) => Object.keys(attributes)))].sort().slice(0, maxChoices);
}

/** Reads the names. `ownId`: the edited segment, which is left out, because a segment cannot refer to itself. */
export async function knownFor(ctx: ConsoleContext, ownId?: string): Promise<ProposedNames> {
  const { calls, mayCall } = ctx;
  const page = { limit: maxChoices };
  const segments = await choices(
    mayCall('segments.list'),
    () => calls.segments.list(page),
    ({ segmentId, name }) => [segmentId, name],
  );
  return {
    lists: await choices(
      mayCall('lists.list'),
      () => calls.lists.list(page),
      ({ listId, name }) => [listId, name],
    ),
    topics: await choices(
      mayCall('topics.list'),
      () => calls.topics.list(page),
      ({ key, name }) => [key, name],
    ),
    segments: segments.filter(([id]) => id !== ownId),
    templates: await choices(
      mayCall('templates.list'),
      () => calls.templates.list(page),
      ({ key, name }) => [key, name],
    ),
    broadcasts: await choices(
      mayCall('broadcasts.list'),
      () => calls.broadcasts.list(page),
      ({ broadcastId, name }) => [broadcastId, name],
    ),
    attributes: await attributeNames(ctx),
    events: mayCall('events.recorded') ? (await calls.events.recorded()).types.map(({ type }) => type) : [],
  };
}

/** The names for the sentence of a filter. */
export const namesIn = ({ lists, topics, segments, templates, broadcasts }: ProposedNames): Names =>
  new Map([...templates, ...broadcasts, ...topics, ...lists, ...segments]);
