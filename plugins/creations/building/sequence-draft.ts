// Builds the draft of a sequence that sends the built templates one after the other, two days apart. People choose its trigger.
import type { InnerCalls } from '../../../core/index.ts';

/** The API calls of the sequences plugin; undefined at run time if that plugin is not composed. */
export type SequenceCalls = InnerCalls['sequences'];
type Draft = Parameters<SequenceCalls['create']>[0];

export function sequenceDraft(name: string, templates: readonly string[]): Draft {
  const nodes = templates.flatMap((templateKey, index) => [
    ...(index === 0 ? [] : [{ id: `pause_${index}`, kind: 'delay' as const, for: 'P2D' }]),
    { id: `mail_${index + 1}`, kind: 'send_email' as const, templateKey },
  ]);
  const edges = nodes
    .slice(1)
    .map(({ id: to }, index) => ({ from: nodes[index]?.id ?? '', to, when: 'next' as const }));
  return { name, nodes, edges };
}
