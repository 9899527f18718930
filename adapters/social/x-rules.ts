// What X takes. Data only.
import type { ChannelRules } from '../../plugins/social/port/index.ts';

const readOn = '2026-11-23';

export const xRules: ChannelRules = {
  channelId: 'x',
  name: 'X',
  text: { unit: 'weighted', most: 280 },
  textOptional: true,
  title: null,
  mostHashtags: null,
  media: {
    required: false,
    sets: [
      { kinds: ['image'], least: 1, most: 4 },
      { kinds: ['gif'], least: 1, most: 1 },
      { kinds: ['video'], least: 1, most: 1 },
    ],
    files: {
      image: { types: ['image/jpeg', 'image/png', 'image/webp'], mostBytes: 5_000_000 },
      gif: { types: ['image/gif'], mostBytes: 15_000_000 },
      video: { types: ['video/mp4', 'video/quicktime'], mostBytes: 512_000_000, leastMs: 500, mostMs: 140_000 },
    },
    alt: { unit: 'code_points', most: 1_000 },
  },
  link: 'text',
  settings: [],
  threads: true,
  quotas: [],
  sources: [
    { about: 'text', url: 'https://docs.x.com/fundamentals/counting-characters', readOn },
    { about: 'media', url: 'https://docs.x.com/x-api/media/quickstart/best-practices', readOn },
    { about: 'alt', url: 'https://docs.x.com/x-api/media/create-media-metadata', readOn },
  ],
};
