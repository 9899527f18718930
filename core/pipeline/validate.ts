// Validates input and output against their declared schemas. Called by check-call.ts and call-transaction.ts.
import type { z } from 'zod';
import type { Operation } from '../contract/declaration/operation.ts';
import type { OperationInput } from '../contract/declaration/operation-spec.ts';
import { StatusResult } from '../contract/declaration/second-success.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { ErrorDetail } from '../contract/errors/errors.ts';
import { checkValue, faultSummary } from '../contract/errors/input-faults.ts';
import { findRawFault } from './raw-faults.ts';
import { withFieldHints } from './unknown-fields.ts';

/** An input as an interface passes it: text for parameters, JSON for the body. */
export interface RawInput {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const maxDetails = 50;

function check(schema: z.ZodType | undefined, value: unknown, details: ErrorDetail[], subject: string): unknown {
  if (schema === undefined) return {};
  const checked = checkValue(schema, value, subject);
  if (checked.ok) return checked.data;
  // Pushed one by one: there may be more faults than one call can take as arguments.
  for (const fault of checked.faults) details.push(fault);
  return undefined;
}

/** A refusal with its details, at most 50. */
export function validationFailed(details: readonly ErrorDetail[]): Error {
  const summary = details.length === 0 ? 'The request is not valid.' : faultSummary(details);
  return coreErrors.validation_failed({ summary }, { details: details.slice(0, maxDetails) });
}

/** The typed input. @throws validation_failed with one detail for each fault */
export function validateInput(operation: Operation, raw: RawInput): OperationInput {
  const details: ErrorDetail[] = [];
  const rawFault = findRawFault(raw.params, raw.query, raw.body);
  if (rawFault !== undefined) throw validationFailed([rawFault]);
  const params = check(operation.input.params, raw.params, details, 'The path');
  const query = check(operation.input.query, raw.query, details, 'The query');
  if (operation.input.query === undefined) {
    for (const name of Object.keys(raw.query)) {
      details.push({ path: name, code: 'unknown_field', message: `There is no field ${name} here. Leave it out.` });
    }
  }
  const body = check(operation.input.body, raw.body ?? {}, details, 'The body');
  if (operation.input.body === undefined && raw.body !== undefined && !isEmptyObject(raw.body)) {
    details.push({ path: 'body', code: 'unknown_field', message: 'This operation takes no body.' });
  }
  if (details.length > 0) throw validationFailed(withFieldHints(operation, details, 'rest'));
  return { params, query, body };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A checked answer: its status, and its body as a value and as the text that is stored and sent. */
export interface SerialisedOutput {
  readonly status: number;
  readonly value: unknown;
  readonly json: string;
}

/** Checks an answer against the schema of its success. */
export function serialiseOutput(operation: Operation, response: unknown): SerialisedOutput {
  const { schema, status, output } = successOf(operation, response);
  const result = schema.safeParse(output);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(
      `The answer of ${operation.id} breaks its own schema at ${issue?.path.join('.')}: ${issue?.message}`,
    );
  }
  return { status, value: result.data, json: JSON.stringify(result.data) };
}

function successOf({ id, output: schema, status, secondSuccess }: Operation, response: unknown) {
  if (!(response instanceof StatusResult)) return { schema, status, output: response };
  if (secondSuccess === undefined || secondSuccess.status !== response.status)
    throw new Error(`${id} returned ${response.status}, which it does not declare.`);
  return { schema: secondSuccess.output, status: response.status, output: response.value as unknown };
}
