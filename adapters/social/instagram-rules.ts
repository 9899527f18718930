// What Instagram takes. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const instagramRules: ChannelRules = {
  channelId: 'instagram',
  name: 'Instagram',
  text: { unit: 'code_points', most: 2_200 },
  textOptional: true,
  title: null,
  // 30 are documented; 5 were announced on 2025-12-18, and a caption with more may be refused.
  mostHashtags: 30,
  mostMentions: 20,
  media: {
    required: true,
    sets: [{ kinds: ['image', 'video'], least: 1, most: 10 }],
    files: {
      image: { types: ['image/jpeg'], mostBytes: 8_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], mostBytes: 300_000_000, leastMs: 3_000, mostMs: 900_000 },
    },
    alt: { unit: 'code_points', most: 1_000 },
  },
  link: 'text',
  settings: [],
  threads: false,
  quotas: [{ action: 'publish', most: 50 }],
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
