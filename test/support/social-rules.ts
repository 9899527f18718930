// Rules of channels for tests: one channel with threads, and one that requires a picture and an account option.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const sources = [{ about: 'text', url: 'https://example.com/rules', readOn: '2026-11-01' }];
const image = { types: ['image/jpeg', 'image/png'], maxBytes: 5_000_000 };

export const threadRules: ChannelRules = {
  channelId: 'x',
  name: 'X',
  text: { unit: 'weighted', max: 280 },
  textOptional: true,
  title: null,
  maxHashtags: null,
  media: {
    required: false,
    sets: [{ kinds: ['image'], min: 1, max: 4 }],
    files: { image },
    alt: { unit: 'code_points', max: 1_000 },
  },
  link: 'text',
  settings: [],
  hasThreads: true,
  quotas: [],
  sources,
};

export const boardRules: ChannelRules = {
  ...threadRules,
  channelId: 'pinterest',
  name: 'Pinterest',
  text: { unit: 'code_points', max: 500 },
  media: { ...threadRules.media, required: true, sets: [{ kinds: ['image'], min: 1, max: 1 }] },
  link: 'link',
  settings: [{ name: 'boardId', required: true, fromAccountOptions: true }],
  hasThreads: false,
};

export const wordRules: ChannelRules = {
  ...threadRules,
  channelId: 'bluesky',
  name: 'Bluesky',
  text: { unit: 'graphemes', max: 300, maxBytes: 3_000 },
  link: 'card',
  hasThreads: false,
};

export const keptRules: ChannelRules = {
  ...threadRules,
  channelId: 'instagram',
  name: 'Instagram',
  text: { unit: 'code_points', max: 2_200 },
  media: { ...threadRules.media, required: true, sets: [{ kinds: ['image', 'video'], min: 1, max: 10 }] },
  link: 'text',
  hasThreads: false,
};

export const exampleRules: readonly ChannelRules[] = [threadRules, boardRules, wordRules, keptRules];
