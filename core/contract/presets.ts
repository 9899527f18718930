// The presets that an installer offers, and the implications that no name spells out. Data, read by pipeline/scopes.ts.
// A key's scopes are frozen when it is issued: a change here reaches new keys and refreshed ones only.
import type { Preset } from './scopes.ts';

const read = [
  'workspace:read',
  'brand:read',
  'templates:read',
  'sends:read',
  'suppressions:read',
  'messaging.transactional.read',
  'social:posts:read',
  'pages:read',
  'compositions:read',
  'sequences:read',
  'contacts:read',
  'marketing:read',
  'campaigns:read',
  'lists:read',
  'approvals:read',
  'links:read',
  'connectors:read',
  'audit:read',
  'keys:read',
] as const;

const send = [
  'workspace:read',
  'brand:read',
  'templates:read',
  'templates:send',
  'sends:read',
  'suppressions:read',
  'messaging.transactional.read',
  'messaging.transactional.send',
  'events:write',
  'sequences:read',
  'sequences:trigger',
  'flows:enroll',
  'contacts:read',
  'contacts:write',
  'social:posts:read',
  'social:posts:write',
  'social:posts:publish',
  'links:read',
  'links:write',
] as const;

/** Writes what is read later, and sends nothing: no templates, no mail, no social publish. */
const author = [
  ...read,
  'brand:write',
  'pages:write',
  'pages:publish',
  'pages:export',
  'compositions:write',
  'social:posts:write',
  'campaigns:write',
  'marketing:write',
  'lists:write',
  'links:write',
  'contacts:write',
  'sequences:write',
] as const;

/** The scopes of each preset; `full` is every scope that the composed plugins declare. */
export const presets: Readonly<Record<Exclude<Preset, 'full'>, readonly string[]>> = { read, send, author };

/** Scope → what holding it implies beside its resource's own `:read`. */
export const conventionalImplications: Readonly<Record<string, readonly string[]>> = {
  'templates:send': ['sends:read'],
  'social:posts:publish': ['social:posts:write'],
};
