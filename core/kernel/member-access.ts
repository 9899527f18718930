// Asks the program who is signed in and checks its answer, because programs without types may return anything. A wrong answer
// signs the visitor out and never gives access. Made by container.ts.

import { type Preset, presetNames, type ScopesPort } from '../contract/declaration/scopes.ts';
import type { AccessFunction, AccessPort, Visitor, VisitorWorkspace, WorkspaceSide } from '../contract/ports/access.ts';
import type { Logger } from '../contract/ports/platform.ts';
import { parseUrl } from '../contract/values/parse-url.ts';

const bothSides: readonly WorkspaceSide[] = ['live', 'sandbox'];

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isPreset = (value: unknown): value is Preset => presetNames.some((name) => name === value);

/** Whether the service may redirect a browser to this address: an http(s) address, or a path of the same origin. */
function isPageUrl(value: unknown): value is string {
  if (!isText(value)) return false;
  if (/^\/(?![/\\])/.test(value)) return true;
  return /^https?:$/.test(parseUrl(value)?.protocol ?? '');
}

function scopesOf(registry: ScopesPort, value: unknown): ReadonlySet<string> | undefined {
  if (isPreset(value)) return registry.expand(registry.preset(value));
  if (Array.isArray(value) && value.every(isText)) return registry.expand(value);
  return undefined;
}

function sidesOf(value: unknown): readonly WorkspaceSide[] | undefined {
  if (value === undefined) return bothSides;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const sides = bothSides.filter((side) => value.includes(side));
  return value.every((side) => bothSides.some((known) => known === side)) ? sides : undefined;
}

function workspaceOf(registry: ScopesPort, value: unknown): VisitorWorkspace | undefined {
  if (!isObject(value)) return undefined;
  const { id } = value;
  const scopes = scopesOf(registry, value['scopes']);
  const sides = sidesOf(value['sides']);
  return isText(id) && scopes !== undefined && sides !== undefined ? { id, scopes, sides } : undefined;
}

/** The visitor; undefined if the answer has no known form. */
function visitorOf(registry: ScopesPort, response: unknown): Visitor | undefined {
  if (response === null || response === undefined) return { kind: 'signed_out', signInUrl: undefined };
  if (!isObject(response)) return undefined;
  const { member, name, workspaces, signInUrl, signOutUrl } = response;
  if (member === undefined) return isPageUrl(signInUrl) ? { kind: 'signed_out', signInUrl } : undefined;
  if (!isText(member) || !isText(name) || !Array.isArray(workspaces)) return undefined;
  if (signOutUrl !== undefined && !isPageUrl(signOutUrl)) return undefined;
  const checked = workspaces.map((workspace) => workspaceOf(registry, workspace));
  const accepted = checked.filter((workspace) => workspace !== undefined);
  if (accepted.length < checked.length) return undefined;
  return { kind: 'member', member, name, workspaces: accepted, signOutUrl };
}

const expectedForm =
  "{ member, name, workspaces: [{ id, scopes: ['sends:read'] or 'full', sides: ['live', 'sandbox'] }] }, { signInUrl: '/sign-in' } or null";

/** `access`: the program's function; undefined if it has none. */
export function createAccess(
  access: AccessFunction | undefined,
  registry: ScopesPort,
  log: Logger,
  privateNetworks = false,
): AccessPort {
  return {
    configured: access !== undefined,
    privateNetworks,
    async visitor(request) {
      const visitor = visitorOf(registry, await access?.(request));
      if (visitor !== undefined) return visitor;
      log.error(
        {},
        `The option access must return ${expectedForm}. It returned something else, so the visitor counts as signed out.`,
      );
      return { kind: 'signed_out', signInUrl: undefined };
    },
  };
}
