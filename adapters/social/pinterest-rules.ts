// The posting rules of Pinterest. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const pinterestRules: ChannelRules = {
  channelId: 'pinterest',
  name: 'Pinterest',
  text: { unit: 'code_points', max: 800 },
  textOptional: true,
  title: { unit: 'code_points', max: 100, required: false },
  maxHashtags: null,
  media: {
    required: true,
    sets: [
      { kinds: ['image'], min: 1, max: 5 },
      { kinds: ['video'], min: 1, max: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png'], maxBytes: 10_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 2_000_000_000, minMs: 4_000, maxMs: 900_000 },
    },
    alt: { unit: 'code_points', max: 500 },
  },
  link: 'link',
  settings: [
    { name: 'boardId', required: true, fromAccountOptions: true },
    { name: 'title', required: false, fromAccountOptions: false },
  ],
  hasThreads: false,
  quotas: [],
  sources: [
    { about: 'text, images', url: 'https://developers.pinterest.com/docs/api/v5/pins-create/', readOn },
    { about: 'media', url: 'https://help.pinterest.com/en/business/article/pinterest-product-specs', readOn },
  ],
};
