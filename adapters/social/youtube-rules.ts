// The posting rules of YouTube. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const youtubeRules: ChannelRules = {
  channelId: 'youtube',
  name: 'YouTube',
  text: { unit: 'bytes', max: 5_000 },
  textOptional: true,
  title: { unit: 'code_points', max: 100, required: true },
  maxHashtags: 60,
  forbidden: '<>',
  media: {
    required: true,
    sets: [{ kinds: ['video'], min: 1, max: 1 }],
    files: {
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 256_000_000_000, minMs: 1, maxMs: 43_200_000 },
    },
    alt: null,
  },
  link: 'text',
  settings: [
    { name: 'title', required: true, fromAccountOptions: false },
    { name: 'privacy', required: false, fromAccountOptions: false },
  ],
  hasThreads: false,
  quotas: [{ action: 'publish', max: 100 }],
  sources: [
    { about: 'text', url: 'https://developers.google.com/youtube/v3/docs/videos', readOn },
    { about: 'media', url: 'https://developers.google.com/youtube/v3/docs/videos/insert', readOn },
    { about: 'quota', url: 'https://developers.google.com/youtube/v3/determine_quota_cost', readOn },
  ],
};
