// A service with the console, a sequence with a branch, and the runs of two contacts: one skipped an SMS. For the tests of the
// pages of sequences.
import { openConsoleBench } from './console-bench.ts';

const graph = {
  trigger: { kind: 'event', type: 'trial_started' },
  nodes: [
    {
      id: 'plan',
      kind: 'branch',
      conditions: [{ filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } }],
    },
    { id: 'text', kind: 'send_sms', templateKey: 'account_alert', variables: { message: 'Welcome' } },
    { id: 'receipt', kind: 'send_email', templateKey: 'order_receipt', variables: { name: 'you', order: 'A-18' } },
    { id: 'pause', kind: 'delay', for: 'P3D' },
    { id: 'wait', kind: 'wait_for_event', type: 'order_paid', timeout: 'P7D' },
    { id: 'paid', kind: 'exit', reason: '<b>paid</b>' },
  ],
  edges: [
    { from: 'plan', to: 'text', when: 'branch:0' },
    { from: 'plan', to: 'pause', when: 'else' },
    { from: 'text', to: 'receipt', when: 'next' },
    { from: 'receipt', to: 'pause', when: 'next' },
    { from: 'pause', to: 'wait', when: 'next' },
    { from: 'wait', to: 'paid', when: 'matched' },
    { from: 'wait', to: 'pause', when: 'timeout' },
  ],
} as const;

export type SequenceConsoleBench = Awaited<ReturnType<typeof openSequenceConsoleBench>>;

/** Opens the service. The run `runId` is ada's: it skipped the SMS, sent the receipt, and is in the pause. */
export async function openSequenceConsoleBench() {
  const bench = await openConsoleBench();
  const { sequences } = bench.calls;
  // Copied, because the calls take mutable lists.
  const { trigger, nodes, edges } = structuredClone(graph) as unknown as Parameters<typeof sequences.create>[0];
  const { key, id } = await sequences.create({ name: '<i>Trial</i>', trigger, nodes, edges });
  await sequences.publish({ keyOrId: key });
  const { runId } = await sequences.enroll({ keyOrId: key, contact: { email: 'ada@example.com' } });
  const { runId: graceRunId } = await sequences.enroll({ keyOrId: key, contact: { email: 'grace@example.com' } });
  await bench.drain();
  const { data } = await bench.calls.sends.list({ to: 'ada@example.com', limit: 1 });
  return { ...bench, sequenceId: id, key, runId, graceRunId, sendId: data[0]?.id ?? '' };
}
