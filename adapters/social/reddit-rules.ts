// The posting rules of Reddit. Data only. Communities have additional rules, which Reddit checks when a post is submitted.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

export const redditRules: ChannelRules = {
  channelId: 'reddit',
  name: 'Reddit',
  text: { unit: 'code_points', max: 40_000 },
  textOptional: true,
  title: { unit: 'code_points', max: 300, required: true },
  maxHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], min: 1, max: 20 },
      { kinds: ['video'], min: 1, max: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png'], maxBytes: 20_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 1_000_000_000, minMs: 2_000, maxMs: 900_000 },
    },
    alt: null,
  },
  link: 'link',
  linkInTextWith: ['media', 'text'],
  settings: [
    {
      name: 'subreddit',
      required: true,
      fromAccountOptions: false,
      format: {
        pattern: '[A-Za-z0-9][A-Za-z0-9_]{1,29}|u_[A-Za-z0-9_-]{3,28}',
        message: 'Write the name of a community without r/ before it, such as AskScience.',
      },
    },
    { name: 'title', required: true, fromAccountOptions: false },
  ],
  hasThreads: false,
  quotas: [],
  sources: [
    { about: 'title', url: 'https://www.reddit.com/dev/api/#POST_api_submit', readOn: '2026-11-23' },
    {
      about: 'text, media',
      url: 'https://support.reddithelp.com/hc/en-us/articles/360060422572-How-do-I-post-on-Reddit',
      readOn: null,
    },
  ],
};
