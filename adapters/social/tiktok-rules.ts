// What TikTok takes. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const tiktokRules: ChannelRules = {
  channelId: 'tiktok',
  name: 'TikTok',
  text: { unit: 'utf16', most: 2_200 },
  // The description of photos; their title stays empty.
  textWith: { image: { unit: 'utf16', most: 4_000 } },
  textOptional: true,
  title: null,
  mostHashtags: null,
  media: {
    required: true,
    sets: [
      { kinds: ['video'], least: 1, most: 1 },
      { kinds: ['image'], least: 1, most: 35 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/webp'], mostBytes: 20_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], mostBytes: 4_000_000_000, leastMs: 3_000, mostMs: 600_000 },
    },
    alt: null,
  },
  link: 'text',
  settings: [{ name: 'privacy', required: true, ofAccount: true }],
  threads: false,
  quotas: [{ action: 'publish', most: 15 }],
  sources: [
    { about: 'text', url: 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post', readOn },
    { about: 'photos', url: 'https://developers.tiktok.com/doc/content-posting-api-reference-photo-post', readOn },
    { about: 'media', url: 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide', readOn },
  ],
};
