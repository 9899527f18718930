// What YouTube takes. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const youtubeRules: ChannelRules = {
  channelId: 'youtube',
  name: 'YouTube',
  text: { unit: 'bytes', most: 5_000 },
  textOptional: true,
  title: { unit: 'code_points', most: 100, required: true },
  mostHashtags: 60,
  media: {
    required: true,
    sets: [{ kinds: ['video'], least: 1, most: 1 }],
    files: {
      video: { types: ['video/mp4', 'video/quicktime'], mostBytes: 256_000_000_000, leastMs: 1, mostMs: 43_200_000 },
    },
    alt: null,
  },
  link: 'text',
  settings: [
    { name: 'title', required: true, ofAccount: false },
    { name: 'privacy', required: false, ofAccount: false },
  ],
  threads: false,
  quotas: [{ action: 'publish', most: 100 }],
  sources: [
    { about: 'text', url: 'https://developers.google.com/youtube/v3/docs/videos', readOn },
    { about: 'media', url: 'https://developers.google.com/youtube/v3/docs/videos/insert', readOn },
    { about: 'quota', url: 'https://developers.google.com/youtube/v3/determine_quota_cost', readOn },
  ],
};
