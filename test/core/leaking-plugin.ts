// A plugin that keeps a secret correctly, and that can also leak it in every way. For the tests of the secret search.
import { z } from 'zod';
import { defineEvent } from '../../core/contract/declaration/events.ts';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { defineErrors, errorDefinitions } from '../../core/contract/errors/errors.ts';

const errors = defineErrors({
  word_refused: {
    status: 422,
    type: 'validation_error',
    description: 'For tests.',
    message: (details: { word: string }) => `The word ${details.word} is refused.`,
  },
});

const leakEvent = defineEvent({
  type: 'vault.leaked',
  description: 'For tests.',
  data: z.object({ word: z.string() }),
  example: { word: 'x' },
});

/** The ways in which the plugin can leak the secret */
export const leaks = ['debug log', 'error log', 'audit', 'event', 'refusal', 'bytes'] as const;

const answerSecret = defineOperation({
  id: 'vault.answer',
  summary: 'Answer a secret',
  http: 'POST /v1/vault',
  scopes: ['vault:write'],
  idempotency: 'replay',
  secretOutput: true,
  input: { body: z.object({ word: z.string() }) },
  output: z.object({ secret: z.string() }),
  audit: { action: 'vault.answer', target: () => ({ kind: 'vault', id: 'it' }) },
  fixture: async () => ({ body: { word: 'x' } }),
  handler: async (_ctx, { body }) => ({ secret: body.word }),
});

const leakSecret = defineOperation({
  id: 'vault.leak',
  summary: 'Leak a secret',
  http: 'POST /v1/vault/leak',
  scopes: ['vault:write'],
  idempotency: 'recorded',
  input: { body: z.object({ word: z.string(), by: z.enum(leaks) }) },
  output: z.object({ done: z.boolean() }),
  emits: ['vault.leaked'],
  audit: { action: 'vault.leak', target: () => ({ kind: 'vault', id: 'it' }) },
  fixture: async () => ({ body: { word: 'x', by: 'audit' as const } }),
  handler: async (ctx, { body: { word, by } }) => {
    if (by === 'debug log') ctx.log.debug({ inner: { list: [word] } }, 'leaked');
    if (by === 'error log') throw new Error(`no ${word}`);
    if (by === 'audit') ctx.note({ word });
    if (by === 'event') ctx.emit('vault.leaked' as never, { word } as never);
    if (by === 'refusal') throw errors.word_refused({ word });
    if (by === 'bytes') ctx.note({ word: Buffer.from(`..${word}..`).toString('base64') });
    return { done: true };
  },
});

/** Compose this plugin with the standard plugins. */
export const leakingPlugin = () =>
  definePlugin({
    id: 'vault',
    scopes: [{ scope: 'vault:write', description: 'For tests.' }],
    operations: [answerSecret, leakSecret],
    events: [leakEvent],
    errors: errorDefinitions(errors),
  });
