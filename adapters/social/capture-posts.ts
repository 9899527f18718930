// The posts of one captured network, and its simulated failures. Used by capture.ts.
import {
  type CaptureControl,
  type CapturedPost,
  type SimulatedFault,
  SocialError,
  type SocialTarget,
} from '../../plugins/social/port/index.ts';

/** How long a limit lasts, in milliseconds. */
const limitMs = 900_000;

/** The maximum number of posts. The oldest is removed first. */
const maxPosts = 500;

/** The posts of one network in this process. */
export interface CapturedPosts extends CaptureControl {
  /** Counts a request of any kind. @throws SocialError if the simulated fault refuses every request */
  request(now: number): void;
  /** Makes a part of a post visible, and returns its id. @throws SocialError */
  add(target: SocialTarget, part: number, now: number): string;
  /** The id of a part, if people can see it. @throws SocialError while the fault `blind` is simulated */
  find(key: string, part: number): string | undefined;
  has(id: string): boolean;
  remove(ids: readonly string[]): void;
}

/** Makes an empty store of posts. */
export function createCapturedPosts(channelId: string, name: string): CapturedPosts {
  const posts = new Map<string, CapturedPost>();
  let fault: SimulatedFault | null = null;
  const idOf = (key: string, part: number): string => `${channelId}-${key}-${part + 1}`;

  const request = (now: number): void => {
    if (fault === 'down') throw new SocialError('transient', `${name} does not answer.`);
    if (fault === 'limited')
      throw new SocialError('limited', `${name} accepts no more requests at the moment.`, { until: now + limitMs });
    if (fault === 'disconnected')
      throw new SocialError('disconnected', `${name} refuses the access token.`, { credentials: 'revoked' });
  };

  return {
    posts: () => [...posts.values()],
    get simulatedFault() {
      return fault;
    },
    simulateFault(next) {
      fault = next;
    },
    clear: () => posts.clear(),
    request,
    add(target, part, now) {
      request(now);
      if (fault === 'rejected')
        throw new SocialError('rejected', 'This post breaks a rule of the network.', { code: 'refused' });
      const breaks = fault === 'breaks before' || fault === 'breaks after' ? fault : undefined;
      if (breaks !== undefined) fault = null;
      const lost = new SocialError('uncertain', `The connection to ${name} broke off.`);
      if (breaks === 'breaks before') throw lost;
      const id = idOf(target.key, part);
      posts.set(id, {
        id,
        channelId,
        postId: target.postId,
        accountRef: target.accountRef,
        text: target.texts[part] ?? '',
        // As on X, all attachments belong to the first part.
        media: part > 0 ? [] : target.media.map(({ assetId, kind, alt }) => ({ assetId, kind, alt })),
        linkUrl: part > 0 ? null : target.linkUrl,
        settings: target.settings,
        part,
        at: now,
      });
      for (const oldKey of posts.keys()) if (posts.size > maxPosts) posts.delete(oldKey);
      if (breaks === 'breaks after') throw lost;
      return id;
    },
    find(key, part) {
      if (fault === 'blind') throw new SocialError('transient', `${name} does not return posts at the moment.`);
      return posts.get(idOf(key, part))?.id;
    },
    has: (id) => posts.has(id),
    remove(ids) {
      for (const id of ids) posts.delete(id);
    },
  };
}
