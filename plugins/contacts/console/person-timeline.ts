// The timeline of a contact in the console. An entry links to its page if its kind has pages; all other entries show their fields.
import type { ConsoleContext, TimelineItem } from '../../../core/index.ts';
import { html, type PillTone, type TimelineStep } from '../../../core/unstable.ts';

const textIn = (item: TimelineItem, field: string): string => {
  const value = item[field];
  return typeof value === 'string' ? value : '';
};

const words = (name: string): string => {
  const text = name.replace(/[._]/g, ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};

const tones: Readonly<Record<string, PillTone>> = {
  delivered: 'good',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
  suppressed: 'bad',
  scheduled: 'wait',
  delivery_delayed: 'wait',
};

/** The fields of an entry in one line. */
function detailOf({ kind: _kind, id: _id, ts: _ts, synthetic: _synthetic, ...fields }: TimelineItem): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => {
      if (value === null || value === undefined || value === '') return [];
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return text === '{}' ? [] : [`${name.replaceAll('_', ' ')}: ${text}`];
    })
    .join(' · ')
    .slice(0, 500);
}

function sendStep(ctx: ConsoleContext, item: TimelineItem): TimelineStep {
  const status = textIn(item, 'status');
  const subject = textIn(item, 'subject') || 'A mail without subject';
  return {
    at: item.ts,
    tone: tones[status] ?? 'info',
    title: html`<a href="${ctx.link(`sends/${item.id}`)}">${subject}</a>`,
    detail: html`${words(status)} · <a href="${ctx.link(`templates/${textIn(item, 'template_key')}`)}">${textIn(item, 'template_key')}</a>`,
  };
}

function runStep(ctx: ConsoleContext, item: TimelineItem): TimelineStep {
  const key = textIn(item, 'sequence_key');
  const exit = textIn(item, 'exit_reason');
  return {
    at: item.ts,
    title: ctx.mayCall('sequences.run_read')
      ? html`<a href="${ctx.link(`sequences/runs/${item.id}`)}">Sequence ${key}</a>`
      : `Sequence ${key}`,
    detail: `${words(textIn(item, 'status'))}${exit === '' ? '' : `: ${exit}`}`,
  };
}

/** One step of the timeline. */
export function stepOf(ctx: ConsoleContext, item: TimelineItem): TimelineStep {
  if (item.kind === 'send') return sendStep(ctx, item);
  if (item.kind === 'sequence_run') return runStep(ctx, item);
  if (item.kind === 'event') {
    const { type, ...rest } = item;
    return { at: item.ts, title: words(String(type)), detail: detailOf(rest) };
  }
  return { at: item.ts, title: words(item.kind), detail: detailOf(item) };
}
