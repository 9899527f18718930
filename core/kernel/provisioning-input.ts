// Checks the input of the embedding program to provisioning: a wrong value that is stored would only be noticed at a later
// send, and a misspelt field never. Called by provisioning.ts only.

import type { Plans } from '../contract/context/workspace.ts';
import { presetNames } from '../contract/declaration/scopes.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { checkValue } from '../contract/errors/input-faults.ts';
import * as z from '../contract/schemas/zod.ts';
import { parseAddress } from '../contract/values/addresses.ts';
import { checkLeash, type Leash } from '../contract/values/leash.ts';
import { lineFault } from '../contract/values/line-text.ts';
import { checkPlanLimits, type DeclaredPlanLimits } from '../pipeline/plans.ts';
import { validationFailed } from '../pipeline/validate.ts';

const domainOf = (input: string): string | undefined => parseAddress(`postmaster@${input.trim()}`)?.domain;

/** Checked domains in normalised form: lower-case ASCII. */
export const canonicalDomains = (domains: readonly string[]): string[] => [
  ...new Set(domains.map((domain) => domainOf(domain) ?? domain)),
];

/** Whether the value is a valid sender. Callers in plain JavaScript may pass anything. */
const isSender = (from: unknown): boolean => {
  if (typeof from !== 'object' || from === null) return false;
  const { email, name } = from as { readonly email?: unknown; readonly name?: unknown };
  if (typeof email !== 'string' || typeof name !== 'string') return false;
  return parseAddress(email) !== undefined && lineFault(name) === undefined;
};

const sender = z.custom(
  isSender,
  `defaultFrom must be { email, name } with a plain address and a name of one line, such as { email: 'hello@example.com', name: 'Example' }.`,
);
const domain = z
  .string()
  .refine((text) => domainOf(text) !== undefined, 'This is not a domain, such as mail.example.com.');
const credits = z.int().min(0).optional();

/** The schemas of a new workspace and of changes to a workspace. */
export interface WorkspaceSchemas {
  readonly created: z.ZodType;
  readonly changed: z.ZodType;
}

/** The schemas for a service with these plans and the settings that its plugins declare. */
export function workspaceSchemas(plans: Plans, settings: ReadonlyMap<string, z.ZodType>): WorkspaceSchemas {
  const optional = [...settings].map(([name, schema]) => [name, schema.optional()]);
  const fields = {
    name: z.string(),
    plan: z.enum(Object.keys(plans)).optional(),
    figures: z.unknown().optional(),
    defaultFrom: sender,
    sendingDomains: z.array(domain).optional(),
    settings: z.strictObject(Object.fromEntries(optional)).optional(),
  };
  return {
    created: z.strictObject({ ...fields, credits }),
    changed: z.strictObject({
      ...fields,
      name: fields.name.optional(),
      defaultFrom: sender.optional(),
      contentHost: z.string().nullable().optional(),
      grantCredits: credits,
    }),
  };
}

/** @throws validation_failed with one detail for each fault */
function check(schema: z.ZodType, value: unknown, subject: string): void {
  const checked = checkValue(schema, value, subject);
  if (!checked.ok) throw validationFailed(checked.faults);
}

/** @throws validation_failed */
export function checkWorkspace(
  schema: z.ZodType,
  input: { readonly figures?: object | null },
  declared: DeclaredPlanLimits,
): void {
  check(schema, input, 'The workspace');
  const { figures } = input;
  if (figures === undefined || figures === null) return;
  try {
    checkPlanLimits('figures', figures, declared);
  } catch (error) {
    // A TypeError of the configuration is a refusal here.
    const { message } = error as Error;
    throw coreErrors.validation_failed(
      { summary: message },
      { details: [{ path: 'figures', code: 'custom', message }] },
    );
  }
}

const newKey = z
  .strictObject({
    workspaceId: z.string(),
    name: z.string(),
    mode: z.enum(['live', 'test', 'mcp']).optional(),
    sandbox: z.boolean().optional(),
    preset: z.enum(presetNames).optional(),
    scopes: z.array(z.string()).optional(),
    expiresAt: z.date().optional(),
    createdBy: z.string().optional(),
    members: z.array(z.string().min(1).max(200)).max(50).optional(),
    leash: z.unknown().optional(),
  })
  .superRefine(({ mode = 'live', sandbox, preset, scopes, leash }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    // A caller that asks for a sandbox must not get a key that sends real mail.
    if (mode === 'live' && sandbox === true)
      refuse('sandbox', 'A live key cannot be a sandbox key. Use mode test, or mcp with sandbox.');
    if (mode === 'test' && sandbox === false)
      refuse('sandbox', 'A test key is always a sandbox key. Use mode live or mcp.');
    if (mode !== 'mcp' && leash !== undefined && leash !== null)
      refuse('leash', 'Only keys of mode mcp can have a leash. Use mode mcp, or leave leash out.');
    if (preset !== undefined && scopes !== undefined) refuse('scopes', 'Give either a preset or scopes, not both.');
    if (preset === undefined && (scopes === undefined || scopes.length === 0))
      refuse('scopes', `A key needs scopes, or a preset: ${presetNames.join(', ')}.`);
  });

/** @throws validation_failed */
export const checkKey = (value: unknown): void => check(newKey, value, 'The key');

/** The checked leash; null for none. @throws validation_failed */
export function checkedLeash(value: unknown, tools: Iterable<string>, path: string): Leash | null {
  if (value === null) return null;
  const checked = checkLeash(value, { tools });
  if (checked.ok) return checked.leash;
  throw validationFailed(
    checked.faults.map((fault) => ({ ...fault, path: fault.path === '' ? path : `${path}.${fault.path}` })),
  );
}

const revocation = z.strictObject({ compromised: z.boolean().optional() });

/** @throws validation_failed */
export const checkRevocation = (value: unknown): void => check(revocation, value, 'The third argument');

const page = z.strictObject({ limit: z.int().min(1).max(500).optional(), after: z.string().optional() });

/** @throws validation_failed */
export const checkPage = (value: unknown): void => check(page, value, 'The page');
