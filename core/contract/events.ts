// Events: declared once by their plugin, emitted in the transaction of what they report.
import type { z } from 'zod';
import type { EventMap } from './open.ts';

/** A declared event of the catalogue. */
export interface EventDeclaration {
  readonly type: string;
  readonly description: string;
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: unknown;
}

/** Declares a catalogue event; its type of `data` is added to EventMap beside it. */
export function defineEvent<const T extends string, S extends z.ZodType>(declaration: {
  readonly type: T;
  readonly description: string;
  readonly data: S;
  readonly example: z.input<S>;
}): EventDeclaration & { readonly type: T; readonly data: S } {
  return declaration;
}

/** An event as it is stored and delivered. */
export interface EventRecord<T extends keyof EventMap = keyof EventMap> {
  readonly id: string;
  readonly type: T;
  readonly workspaceId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly source: 'service' | 'custom';
  readonly synthetic: boolean;
  readonly data: EventMap[T];
}
