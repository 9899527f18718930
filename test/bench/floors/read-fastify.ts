/*
 * The floor for reading one operation through the whole pipeline: a bare Fastify that returns a small JSON document through a
 * response schema. No key, no database.
 */
import Fastify from 'fastify';
import { announce, readSettings } from '../contestant.ts';
import { defaultFrom } from '../mail-fixture.ts';

const settings = readSettings();
const text = { type: 'string' };
const integer = { type: 'integer' };
const workspaceSchema = {
  type: 'object',
  properties: {
    id: text,
    name: text,
    plan: text,
    created_at: text,
    limits: { type: 'object', properties: { monthly_send_budget: integer, rate_limit_per_minute: integer } },
    default_from: { type: 'object', properties: { email: text, name: text } },
    usage: { type: 'object', properties: { sends_this_month: integer, credits_balance: integer } },
    features: { type: 'array', items: text },
  },
};

const server = Fastify();
server.get('/v1/workspace', { schema: { response: { 200: workspaceSchema } } }, (_request, reply) => {
  reply.send({
    id: 'ws_01KAGY4Q8W2M7T5R9X3B6C1D0E',
    name: 'Harbour Supplies',
    plan: 'pro',
    created_at: '2026-11-20T15:04:05.000Z',
    limits: { monthly_send_budget: 50_000, rate_limit_per_minute: 1_800 },
    default_from: defaultFrom,
    usage: { sends_this_month: 1_204, credits_balance: 1_950 },
    features: ['custom_domains', 'webhooks'],
  });
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ port: Number(new URL(address).port), keys: ['postrider_live_unchecked'] });
