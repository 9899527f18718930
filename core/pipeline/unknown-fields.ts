// Hints in a refusal for a field that an operation does not have, beyond the similar names that its schema suggests:
// hints that the operation declares (fieldHints), settings of the call, and arguments under other names. Called by
// validate.ts and flat.ts.

import type { Operation } from '../contract/declaration/operation.ts';
import type { ErrorDetail } from '../contract/errors/errors.ts';

/** The origin of a call. Each origin accepts the settings of a call in a different form, such as headers or arguments. */
export type CallOrigin = 'rest' | 'tool' | 'process';

/** A setting that is given with a call and is not part of its input. */
interface CallSetting {
  readonly name: RegExp;
  takes(operation: Operation): boolean;
  readonly hint: Readonly<Record<CallOrigin, string>>;
}

const callSettings: readonly CallSetting[] = [
  {
    name: /^dry[-_]?run$/i,
    takes: ({ idempotency }) => idempotency !== 'read',
    hint: {
      rest: 'For a dry run, send the header Dry-Run: true.',
      tool: 'For a dry run, give the argument dry_run: true.',
      process: 'For a dry run, pass { dryRun: true } as the second argument.',
    },
  },
  {
    name: /^idempotency[-_]?key$/i,
    takes: ({ idempotency }) => idempotency === 'replay',
    hint: {
      rest: 'Send the header Idempotency-Key.',
      tool: 'Give the argument idempotency_key.',
      process: 'Pass { idempotencyKey } as the second argument.',
    },
  },
];

/**
 * The hint for an idempotency key that is passed to a tool without such an argument: describes the effect of repeating
 * the call.
 */
function hintWithoutKey({ idempotency }: Operation, path: string): string | undefined {
  if (idempotency === 'replay' || !/^idempotency[-_]?key$/i.test(path)) return undefined;
  return idempotency === 'recorded'
    ? 'This call takes no idempotency key: if you do not know whether it took effect, check before you repeat it.'
    : 'This call takes no idempotency key: repeating it does no harm.';
}

function hintFor(operation: Operation, path: string, origin: CallOrigin): string | undefined {
  const declared = operation.fieldHints.get(path);
  if (declared !== undefined) return declared;
  const setting = callSettings.find(({ name, takes }) => name.test(path) && takes(operation));
  if (setting !== undefined) return setting.hint[origin];
  const keyHint = origin === 'tool' ? hintWithoutKey(operation, path) : undefined;
  if (keyHint !== undefined) return keyHint;
  const [, argument] = Object.entries(operation.rename).find(([parameter]) => parameter === path) ?? [];
  if (argument === undefined) return undefined;
  const isField = origin !== 'rest' || Object.hasOwn(operation.input.body?.shape ?? {}, argument);
  return isField ? `Did you mean ${argument}?` : undefined;
}

export const unknownField = (path: string, hint: string): ErrorDetail => {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return { path, code: 'unknown_field', message: `There is no field ${name} here. ${hint}` };
};

/** The same faults, but an unknown field gets a hint if there is a better one than the schema's. */
export const withFieldHints = (
  operation: Operation,
  details: readonly ErrorDetail[],
  origin: CallOrigin,
): ErrorDetail[] =>
  details.map((detail) => {
    const hint = detail.code === 'unknown_field' ? hintFor(operation, detail.path, origin) : undefined;
    return hint === undefined ? detail : unknownField(detail.path, hint);
  });
