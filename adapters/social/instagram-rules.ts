// The posting rules of Instagram. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const instagramRules: ChannelRules = {
  channelId: 'instagram',
  name: 'Instagram',
  text: { unit: 'code_points', max: 2_200 },
  textOptional: true,
  title: null,
  // 30 are documented. A limit of 5 was announced on 2025-12-18, so a caption with more may be refused.
  maxHashtags: 30,
  maxMentions: 20,
  media: {
    required: true,
    sets: [{ kinds: ['image', 'video'], min: 1, max: 10 }],
    files: {
      image: { types: ['image/jpeg'], maxBytes: 8_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 300_000_000, minMs: 3_000, maxMs: 900_000 },
    },
    alt: { unit: 'code_points', max: 1_000 },
  },
  link: 'text',
  settings: [],
  hasThreads: false,
  quotas: [{ action: 'publish', max: 50 }],
  sources: [
    {
      about: 'text, media',
      url: 'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
      readOn,
    },
    {
      about: 'quota',
      url: 'https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user/media_publish',
      readOn,
    },
  ],
};
