// The reputation of a workspace as callers see it.
import { isoTime, z } from '../../core/index.ts';

export const reputationState = z
  .enum(['ok', 'warned', 'held'])
  .describe('warned: rates are high, and mail goes on. held: marketing mail waits until somebody releases it.');

const share = (text: string) => z.number().min(0).describe(text);

const reputationWindow = z.object({
  domain: z.string().nullable().describe('The sending domain; null for the whole workspace.'),
  window: z.enum(['1h', '24h']).describe('The time until now in which the mail was handed over.'),
  kind: z.enum(['complaints', 'hard_bounces']),
  handedOver: z
    .int()
    .describe('The mails of the window. For complaints only those to domains whose providers report complaints.'),
  faults: z.int().describe('Those of them that bounced hard or were complained about, whenever this was reported.'),
  rate: share('faults divided by handedOver, as a share: 0.05 is 5 %.'),
  warn: share('The share from which the guard warns, if there is enough mail and there are enough faults.'),
  hold: share('The share from which it holds marketing mail.'),
});

export type ReputationWindow = z.output<typeof reputationWindow>;

const historyEntry = z.object({
  at: isoTime,
  state: reputationState,
  by: z
    .string()
    .describe('system: the guard. service: the embedding program. Else the uid of the member who released.'),
  note: z.string().describe('The rate that was reached, or the reason of the release.'),
});

export const reputationResource = z
  .object({
    state: reputationState,
    windows: z.array(reputationWindow).describe('Of the workspace, and of each of its sending domains.'),
    history: z.array(historyEntry).describe('The latest 100 changes of the state, the newest first.'),
  })
  .meta({ id: 'Reputation' });

export type Reputation = z.output<typeof reputationResource>;

/** The reason of a release. */
export const releaseNote = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .describe('What was wrong and what you changed. Kept in the history and shown to everybody who reads it.');
