// The mail of each variant: its frozen parts, and its differences from the broadcast. Pure.
import { coreErrors } from '../../../core/index.ts';
import type { FrozenTemplate } from '../../templates/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { frozenOf } from '../frozen.ts';
import { variablesFor } from '../variables.ts';
import type { Variant } from './schema.ts';

/** One mail of a broadcast. */
export interface VariantMail {
  readonly template: FrozenTemplate;
  readonly from: BroadcastRow['from'];
  readonly variables: BroadcastRow['variables'];
}

/** The variant of this name. @throws validation_failed for any other name */
export function requireVariant({ experiment }: BroadcastRow, name: string): Variant {
  const variants = experiment?.variants ?? [];
  const found = variants.find((variant) => variant.name === name);
  if (found !== undefined) return found;
  const names = variants.map((variant) => variant.name).join(', ');
  const message = names === '' ? 'The broadcast has no experiment.' : `The experiment has the variants ${names}.`;
  throw coreErrors.validation_failed(
    { summary: `variant: ${message}` },
    { details: [{ path: 'variant', code: 'unknown', message }] },
  );
}

/** The mail that recipients with this variant get; null: the mail of a broadcast without an experiment. */
export function mailOf(row: BroadcastRow, variant: string | null): VariantMail {
  const frozen = frozenOf(row);
  if (frozen === null) throw new Error(`The broadcast ${row.id} was never scheduled.`);
  const own = frozen.variants.find(({ name }) => name === variant);
  if (own === undefined) return { template: frozen.template, from: row.from, variables: row.variables };
  const takes = new Set(own.variables);
  return {
    template: own.template,
    from: own.from ?? row.from,
    variables: variablesFor(row.variables, (name) => takes.has(name)),
  };
}

/** The senders of all mails of a scheduled broadcast. Null: the default of the workspace. */
export function sendersOf(row: BroadcastRow): BroadcastRow['from'][] {
  const variants = frozenOf(row)?.variants ?? [];
  return variants.length === 0 ? [row.from] : variants.map((variant) => variant.from ?? row.from);
}

/** The keys of all templates of a broadcast. */
export function templateKeysOf({ template_key: key, experiment }: BroadcastRow): string[] {
  const own = experiment?.variants.flatMap((variant) => variant.templateKey ?? []) ?? [];
  return [...new Set([...(key === null ? [] : [key]), ...own])];
}
