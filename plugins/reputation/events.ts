import { defineEvent } from '../../core/index.ts';
import { type Reputation, reputationResource } from './schema.ts';

const example: Reputation = {
  state: 'held',
  windows: [
    {
      domain: 'news.example.com',
      window: '24h',
      kind: 'hard_bounces',
      handedOver: 150,
      faults: 80,
      rate: 0.533333,
      warn: 0.025,
      hold: 0.05,
    },
  ],
  history: [
    {
      at: '2026-11-20T15:04:05.000Z',
      state: 'held',
      by: 'system',
      note: 'Hard bounces in 24 hours from news.example.com: 80 of 150 mails, 53.33 %. The limit is 5 %.',
    },
  ],
};

export const events = [
  defineEvent({
    type: 'reputation.warned',
    description: 'Complaints or hard bounces are so frequent that marketing mail may soon be held. Mail still goes on.',
    data: reputationResource,
    example: { ...example, state: 'warned' },
  }),
  defineEvent({
    type: 'reputation.held',
    description:
      'Complaints or hard bounces are too frequent: marketing mail waits until somebody releases it. Transactional and system mail goes on.',
    data: reputationResource,
    example,
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'reputation.warned': Reputation;
    'reputation.held': Reputation;
  }
}
