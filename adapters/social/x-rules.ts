// The posting rules of X. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const xRules: ChannelRules = {
  channelId: 'x',
  name: 'X',
  text: { unit: 'weighted', max: 280 },
  textOptional: true,
  title: null,
  maxHashtags: null,
  forbidden: '\ufffe\ufeff\uffff',
  media: {
    required: false,
    sets: [
      { kinds: ['image'], min: 1, max: 4 },
      { kinds: ['gif'], min: 1, max: 1 },
      { kinds: ['video'], min: 1, max: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 5_000_000 },
      gif: { types: ['image/gif'], maxBytes: 15_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 512_000_000, minMs: 500, maxMs: 140_000 },
    },
    alt: { unit: 'code_points', max: 1_000 },
  },
  link: 'text',
  settings: [],
  hasThreads: true,
  quotas: [],
  sources: [
    { about: 'text', url: 'https://docs.x.com/fundamentals/counting-characters', readOn },
    { about: 'media', url: 'https://docs.x.com/x-api/media/quickstart/best-practices', readOn },
    { about: 'alt', url: 'https://docs.x.com/x-api/media/create-media-metadata', readOn },
  ],
};
