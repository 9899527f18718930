// The posting rules of TikTok. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const tiktokRules: ChannelRules = {
  channelId: 'tiktok',
  name: 'TikTok',
  text: { unit: 'utf16', max: 2_200 },
  // The description of photos. Their title stays empty.
  textWith: { image: { unit: 'utf16', max: 4_000 } },
  textOptional: true,
  title: null,
  maxHashtags: null,
  media: {
    required: true,
    sets: [
      { kinds: ['video'], min: 1, max: 1 },
      { kinds: ['image'], min: 1, max: 35 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/webp'], maxBytes: 20_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 4_000_000_000, minMs: 3_000, maxMs: 600_000 },
    },
    alt: null,
  },
  link: 'text',
  settings: [{ name: 'privacy', required: true, fromAccountOptions: true }],
  hasThreads: false,
  quotas: [{ action: 'publish', max: 15 }],
  sources: [
    { about: 'text', url: 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post', readOn },
    { about: 'photos', url: 'https://developers.tiktok.com/doc/content-posting-api-reference-photo-post', readOn },
    { about: 'media', url: 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide', readOn },
  ],
};
