// Runs as the API and events show them.
import { toIsoTime, toIsoTimeOrNull } from '../../../core/index.ts';
import type { PlanRun } from './schema.ts';
import type { PlanGate, PlanRunRow } from './tables.ts';

/** The common fields of a gate, with its entries as the API shows them. */
const presentGate = <Entry, Shown>({ status, comment, proposal }: PlanGate<Entry>, show: (entry: Entry) => Shown) => ({
  status,
  comment,
  proposal: proposal === null ? null : proposal.map(show),
});

function gatesOf({ gates: { themes, slots, captions } }: PlanRunRow): PlanRun['gates'] {
  return [
    { gate: 'themes', ...presentGate(themes, (theme) => ({ ...theme })) },
    { gate: 'slots', ...presentGate(slots, (slot) => ({ ...slot, at: toIsoTime(slot.at) })) },
    ...(captions === null
      ? []
      : [
          {
            gate: 'captions' as const,
            ...presentGate(captions, ({ id, channel, caption }) => ({ id, channel, caption })),
          },
        ]),
  ];
}

export const presentRun = (row: PlanRunRow): PlanRun => ({
  runId: row.id,
  weekOf: row.week_of,
  timezone: row.timezone,
  status: row.status,
  channels: [...row.channels],
  brief: row.brief,
  postsPerChannel: row.posts_per_channel,
  gates: gatesOf(row),
  results: row.results.map(({ kind, id }) => ({ kind: kind === 'hold' ? 'hold' : 'post', id })),
  leftOut: (row.left_out ?? []).map(({ channelId: channel, accountRef, code, message }) => ({
    channel,
    accountRef,
    code,
    message,
  })),
  credits: { price: row.price, charged: row.charged },
  error: row.error,
  expiresAt: toIsoTimeOrNull(row.expires_at),
  sandbox: row.sandbox,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
});
