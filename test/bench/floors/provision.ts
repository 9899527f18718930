/*
 * The workspaces and keys of a floor (a hand-written program that Postrider is compared with): a pro plan with limits so high that they are never reached, although each request
 * computes them.
 */
import { hash, randomBytes } from 'node:crypto';
import { defaultFrom } from '../mail-fixture.ts';
import { createId } from './identifiers.ts';

/** A workspace's row. */
export interface FloorWorkspaceRow {
  id: string;
  plan: string;
  rate: number;
  burst: number;
  perMinute: number;
  fromEmail: string;
  fromName: string;
  sendingDomain: string;
}

/** A key's row. The database stores `secretHash`, never `secret`. */
export interface KeyRow {
  id: string;
  workspaceId: string;
  secret: string;
  secretHash: string;
  scopes: string;
}

/** Creates the rows that a floor inserts before it listens. */
export function provision(
  workspaceCount: number,
  keyCount: number,
): { workspaces: FloorWorkspaceRow[]; keys: KeyRow[] } {
  const now = Date.now();
  const workspaces = Array.from({ length: workspaceCount }, () => ({
    id: createId('ws_', now),
    plan: 'pro',
    rate: 1_000_000,
    burst: 2_000_000,
    perMinute: 1_000_000_000,
    fromEmail: defaultFrom.email,
    fromName: defaultFrom.name,
    sendingDomain: defaultFrom.email.slice(defaultFrom.email.indexOf('@') + 1),
  }));
  const keys = Array.from({ length: keyCount }, (_, index) => {
    const secret = `postrider_live_${randomBytes(37).toString('hex').slice(0, 49)}`;
    return {
      id: createId('key_', now),
      workspaceId: (workspaces[index % workspaceCount] as FloorWorkspaceRow).id,
      secret,
      secretHash: hash('sha256', secret, 'base64url'),
      scopes: ' workspace:read templates:read templates:send sends:read ',
    };
  });
  return { workspaces, keys };
}
