import { defineOperationWithPrepare, isPostriderError, type OperationContext, z } from '../../../core/index.ts';
import { keyOrId } from '../schema.ts';
import { type RenderedMessage, simulateBody, simulationResult } from '../simulate/schema.ts';
import type { SimulatedMessage } from '../simulate/world.ts';
import { foreignContact, someDraft } from './fixture-rows.ts';

/** The text of an SMS. Null if it could not be rendered (which adds a warning), or if the caller may not see it. */
async function renderSms(ctx: OperationContext, message: SimulatedMessage, warnings: string[]) {
  if (!ctx.holds('messaging.transactional.read')) return null;
  try {
    const templateKey = message.action.templateKey as 'account_alert';
    const { body } = await ctx.as().sms.preview({ templateKey, variables: { ...message.variables } });
    return { channel: 'sms', subject: null, html: null, text: body } satisfies RenderedMessage;
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    warnings.push(`${message.nodeId}: ${error.message}`);
    return null;
  }
}

export const simulateSequence = defineOperationWithPrepare({
  id: 'sequences.simulate',
  summary: 'Simulate a sequence',
  description:
    'Shows the path of a contact on a simulated clock: times, choices, rendered messages, and why a step is skipped. Nothing is stored, sent or counted. Mails are shown with templates:read, SMS with messaging.transactional.read, and membership of lists with lists:read.',
  http: 'POST /v1/sequences/{keyOrId}/simulate',
  tool: 'simulate_sequence',
  scopes: ['sequences:read'],
  idempotency: 'read',
  input: { params: z.object({ keyOrId }), body: simulateBody },
  output: simulationResult,
  errors: [
    'sequence_not_found',
    'sequence_not_published',
    'sequence_invalid',
    'contact_not_found',
    'variables_invalid',
  ],
  fixture: async (kit) => ({
    params: { keyOrId: await someDraft(kit, kit.workspaceId) },
    body: { contact: { attributes: { plan: 'trial' } }, startAt: '2026-05-20T09:00:00Z' },
    foreign: {
      params: { keyOrId: await someDraft(kit, kit.foreignWorkspaceId) },
      body: await foreignContact(kit),
    },
    errors: {
      sequence_not_published: async () => ({ body: { draft: false } }),
      contact_not_found: async () => ({ body: { contact: { external_id: 'nobody' } } }),
      sequence_invalid: async () => ({
        params: {
          keyOrId: String((await kit.call('sequences.create', { name: kit.unique('Empty') }, kit.workspaceId))['key']),
        },
      }),
      variables_invalid: async () => {
        const contract = { type: 'object', properties: { seats: { type: 'integer' } }, required: ['seats'] };
        const nodes = [{ id: 'end', kind: 'exit' }];
        const body = { name: kit.unique('Seats'), nodes, settings: { variables: contract } };
        return { params: { keyOrId: String((await kit.call('sequences.create', body, kit.workspaceId))['key']) } };
      },
    },
  }),

  async prepare(ctx, { params, body }) {
    const { prepareSimulation } = await import('../simulate/prepare.ts');
    return prepareSimulation(ctx, params.keyOrId, body);
  },

  async handler(ctx, { body: { html } }, { run, messages, rendered, warnings: runWarnings }) {
    const warnings = [...runWarnings];
    const renderedByMessage = new Map<string, RenderedMessage | null>();
    const key = (nodeId: string, at: number) => `${nodeId} ${at}`;
    for (const message of messages) {
      const text = message.action.kind === 'send_sms' ? await renderSms(ctx, message, warnings) : rendered.get(message);
      renderedByMessage.set(key(message.nodeId, message.at), text && !html ? { ...text, html: null } : (text ?? null));
    }
    return {
      status: run.status,
      reason: run.reason,
      endsAt: run.endsAt === null ? null : new Date(run.endsAt).toISOString(),
      path: run.steps.map(({ nodeId, kind, at, status, output, reason }) => ({
        nodeId,
        kind,
        at: new Date(at).toISOString(),
        outcome: typeof output?.['edge'] === 'string' ? output['edge'] : status,
        reason,
        rendered: renderedByMessage.get(key(nodeId, at)) ?? null,
      })),
      warnings,
    };
  },
});
