/*
 * Access tokens for the contestant with OAuth, by the whole flow: a client registers, a member allows everything, the client
 * exchanges its code. They last 15 minutes, so that a run must be shorter.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { consentForm } from '../support/oauth-form.ts';
import { benchPlugins } from './mcp-fixture.ts';
import { publicUrl } from './mcp-service.ts';

const redirectUri = 'http://127.0.0.1/callback';
const scope = benchPlugins.flatMap(({ scopes }) => scopes.map((one) => one.scope)).join(' ');
/** The agent gets no limits, because the keys of the other contestant have no limits either. */
const withoutLimits = { sendsPerHour: '', recipientsPerDay: '' };

async function json(url: string, init: RequestInit): Promise<Record<string, string>> {
  const response = await fetch(url, init);
  assert.ok(response.ok, `${url} responds ${response.status}`);
  return (await response.json()) as Record<string, string>;
}

/** Access tokens, distributed over the workspaces in turn. */
export async function requestTokens(server: string, workspaceIds: readonly string[], count: number): Promise<string[]> {
  const { client_id: clientId = '' } = await json(`${server}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Bench', redirect_uris: [redirectUri] }),
  });
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 's',
      scope,
    });
    const authorize = `${server}/oauth/authorize?${query}`;
    const openedPage = await fetch(authorize, { redirect: 'manual' });
    const cookie = openedPage.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const page = new URL(openedPage.headers.get('location') ?? '', authorize);
    page.searchParams.set('workspace', workspaceIds[index % workspaceIds.length] ?? '');
    const consent = await (await fetch(page, { headers: { cookie } })).text();
    const approval = await fetch(page, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: publicUrl },
      body: consentForm(consent, { scope, ...withoutLimits }),
    });
    assert.equal(approval.status, 303);
    const code = new URL(approval.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const exchange = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri };
    const { access_token: token } = await json(`${server}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...exchange, code, code_verifier: verifier }),
    });
    assert.ok(token);
    tokens.push(token);
  }
  return tokens;
}
