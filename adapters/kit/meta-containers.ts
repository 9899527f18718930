// Publishing by containers, as on Instagram and Threads: a container is created from texts and URLs, the network fetches the
// files, and one call publishes it. A container is published at most once, and its state later shows whether it was published.
// Called by the adapters of both networks.

import { setTimeout as wait } from 'node:timers/promises';
import { beginning } from '../../core/contract/values/shorten.ts';
import {
  type ProbeResult,
  type PublishedPost,
  type PublishSteps,
  type SocialCallOptions,
  SocialError,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';
import { requiredField } from './http-social.ts';
import type { MetaGraph } from './meta-graph.ts';
import { fieldsOf, listOf, type ReportFields, textOf } from './report-fields.ts';
import { absentOrUnclear, attemptNote, isSameText, isSince, resultText, unfinishedStep } from './social-steps.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

/** The differences between the two networks. */
export interface ContainerNetwork {
  readonly name: string;
  readonly graph: MetaGraph;
  /** The edges of a user: `media` and `media_publish`, `threads` and `threads_publish`. */
  readonly containerEdge: string;
  readonly publishEdge: string;
  /** The edge with the published posts, and the field with their text. */
  readonly postEdge: string;
  readonly textField: string;
  /** The fields of a container: its state, and the reason of a failure. */
  readonly stateField: string;
  readonly reasonField: string;
  /** The time between two checks of a container, in milliseconds. */
  readonly pollMs: number;
  /** How long one call checks containers, in milliseconds. */
  readonly maxPollMs: number;
}

/** The post to publish. */
export interface ContainerPost {
  /** The attachments, each as an item of a carousel; empty for a post of one container. Made when they are needed. */
  readonly items: readonly (() => Promise<Parameters>)[];
  /** The container to publish. `children` are the ids of the items. */
  main(children: readonly string[]): Promise<Parameters>;
}

type State = 'in progress' | 'finished' | 'published' | 'unusable';

const states: Readonly<Record<string, State>> = {
  IN_PROGRESS: 'in progress',
  FINISHED: 'finished',
  PUBLISHED: 'published',
  EXPIRED: 'unusable',
  ERROR: 'unusable',
};

/** The publication of one target. */
interface Publication {
  readonly network: ContainerNetwork;
  readonly target: SocialTarget;
  readonly steps: PublishSteps;
  readonly options: SocialCallOptions;
  /** The time until which containers are checked, by the monotonic clock. */
  readonly until: number;
}

async function stateOf({ network, options }: Publication, id: string): Promise<{ state: State; reason: string }> {
  const { stateField, reasonField, graph } = network;
  const fields = await graph.get(`/${id}`, { fields: `${stateField},${reasonField}` }, options);
  const state = states[textOf(fields[stateField])] ?? 'in progress';
  return { state, reason: textOf(fields[reasonField]) };
}

/** Waits until the network has fetched the files of a container. */
async function waitForFiles(publication: Publication, id: string): Promise<{ state: State; reason: string }> {
  const { network, options, until } = publication;
  for (;;) {
    const container = await stateOf(publication, id);
    if (container.state !== 'in progress') return container;
    if (performance.now() + network.pollMs > until) {
      throw new SocialError('transient', `${network.name} is still fetching the files of this post.`);
    }
    try {
      await wait(network.pollMs, undefined, { signal: options.signal });
    } catch (cause) {
      throw new SocialError('transient', 'The call was ended while the network was fetching files.', { cause });
    }
  }
}

/** A container that can be published or was published: the recorded one if it is usable, else a new one. */
async function containerOf(
  publication: Publication,
  step: string,
  make: () => Promise<Parameters>,
): Promise<{ id: string; isPublished: boolean }> {
  const { network, target, steps, options } = publication;
  const recordedId = resultText(steps, step, 'id');
  if (recordedId !== '') {
    const { state } = await waitForFiles(publication, recordedId);
    if (state !== 'unusable') return { id: recordedId, isPublished: state === 'published' };
  }
  const parameters = await make();
  await steps.before(step);
  const path = `/${target.externalAccountId}/${network.containerEdge}`;
  const response = await network.graph.post(path, parameters, options);
  const id = requiredField(textOf(response['id']), { name: 'id', visible: false });
  await steps.after(step, { id });
  const { state, reason } = await waitForFiles(publication, id);
  if (state !== 'unusable') return { id, isPublished: state === 'published' };
  throw new SocialError('rejected', beginning(`${network.name} cannot use a file of this post. ${reason}`.trim(), 500));
}

/** The container of the whole post. */
async function mainContainer(
  publication: Publication,
  post: ContainerPost,
): Promise<{ id: string; isPublished: boolean }> {
  return containerOf(publication, 'container', async () => {
    const children: string[] = [];
    for (const [index, item] of post.items.entries()) {
      children.push((await containerOf(publication, `item ${index + 1}`, item)).id);
    }
    return post.main(children);
  });
}

const notIdentifiedText = ({ name }: ContainerNetwork): string =>
  `${name} reports that the post is published, but the post cannot be identified yet among the newest posts of the account.`;

const postOf = (id: string, url: string): PublishedPost => ({ externalId: id, url: url || null });

/** The media type of a published post with these attachments, on both networks. */
function typeOf([first, ...others]: SocialTarget['media']): string {
  if (first === undefined) return 'TEXT_POST';
  if (others.length > 0) return 'CAROUSEL_ALBUM';
  return first.kind === 'video' ? 'VIDEO' : 'IMAGE';
}

/**
 * The post of a published container. The network does not return the post of a container, so the post is found by its text and
 * media type among the posts since the start of the publication. Undefined if the list does not contain the post yet, or if several
 * posts match.
 */
async function findPublishedPost(publication: Publication, text: string): Promise<PublishedPost | undefined> {
  const { network, target, options } = publication;
  const fields = `id,${network.textField},media_type,timestamp,permalink`;
  const path = `/${target.externalAccountId}/${network.postEdge}`;
  const list = await network.graph.get(path, { fields, limit: '25' }, options);
  const [match, ...others] = listOf(list['data'])
    .map(fieldsOf)
    .filter(
      (one) =>
        isSince(one['timestamp'], target.startedAt) &&
        textOf(one['media_type']) === typeOf(target.media) &&
        isSameText(textOf(one[network.textField]), text),
    );
  return match === undefined || others.length > 0 ? undefined : postOf(textOf(match['id']), textOf(match['permalink']));
}

const recordPublished = async (publication: Publication, post: PublishedPost): Promise<PublishedPost> => {
  await publication.steps.after('publish', { part: post.externalId, url: post.url });
  return post;
};

/** The URL of a post; empty if the network does not return it now. */
async function permalinkOf({ network, options }: Publication, id: string): Promise<string> {
  const fields: ReportFields = await network.graph.get(`/${id}`, { fields: 'permalink' }, options).catch(() => ({}));
  return textOf(fields['permalink']);
}

const publicationOf = (
  network: ContainerNetwork,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
): Publication => ({ network, target, steps, options, until: performance.now() + network.maxPollMs });

/** Publishes the parts that are not published yet. `text` is the text as the network shows it. */
export async function publishByContainer(
  network: ContainerNetwork,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
  post: ContainerPost & { readonly text: string; ask?(): Promise<void> },
): Promise<PublishedPost> {
  const publication = publicationOf(network, target, steps, options);
  const part = resultText(steps, 'publish', 'part');
  if (part !== '') return postOf(part, resultText(steps, 'publish', 'url'));
  const { id, isPublished } = await mainContainer(publication, post);
  if (isPublished) {
    if (steps.find('publish') === undefined) await steps.before('publish', { container: id });
    const publishedPost = await findPublishedPost(publication, post.text);
    if (publishedPost === undefined) throw new SocialError('uncertain', notIdentifiedText(network));
    return recordPublished(publication, publishedPost);
  }
  await post.ask?.();
  await steps.before('publish', attemptNote(options.now, { container: id }));
  const path = `/${target.externalAccountId}/${network.publishEdge}`;
  const response = await network.graph.post(path, { creation_id: id }, options, { visible: true });
  const mediaId = requiredField(textOf(response['id']), { name: 'id', visible: true });
  const url = await permalinkOf(publication, mediaId);
  return recordPublished(publication, postOf(mediaId, url));
}

/** Queries the network for the state of an unfinished publication. */
export async function probeContainer(
  network: ContainerNetwork,
  target: SocialTarget,
  steps: PublishSteps,
  options: SocialCallOptions,
  text: string,
): Promise<ProbeResult> {
  const publication = publicationOf(network, target, steps, options);
  const step = unfinishedStep(steps);
  // Containers are not visible, so another container is harmless.
  if (step?.name !== 'publish') return { outcome: 'absent' };
  const container = textOf(step.note['container']);
  const { state } = await stateOf(publication, container);
  if (state === 'published') {
    const post = await findPublishedPost(publication, text);
    if (post === undefined) return { outcome: 'unclear', reason: notIdentifiedText(network) };
    return { outcome: 'landed', post: await recordPublished(publication, post) };
  }
  if (state !== 'in progress') return absentOrUnclear(step, options.now);
  return { outcome: 'unclear', reason: `${network.name} is still processing the post.` };
}

/** Whether a daily quota is used up, from the response of `content_publishing_limit` or `threads_publishing_limit`. */
export function isUsedUp(fields: ReportFields, usage: string, config: string): boolean {
  const [first] = listOf(fields['data']).map(fieldsOf);
  const usedCount = Number(first?.[usage]);
  const total = Number(fieldsOf(first?.[config])['quota_total']);
  return total > 0 && usedCount >= total;
}
