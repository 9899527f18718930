// The service that finds contacts by a filter. The plugin that defines filters may provide it.
import type { ReadContext } from '../../core/index.ts';

/** The conditions of a list of contacts. A listed contact meets all of them. */
export interface WantedContacts {
  /** A filter as JSON. */
  readonly filter?: string | undefined;
  readonly segmentId?: string | undefined;
  /** The normalised address. */
  readonly email?: string | undefined;
  readonly externalId?: string | undefined;
  /** Whether the caller has this scope. */
  hasScope(scope: string): boolean;
}

/** A page of contacts, newest first. */
export interface FilterPage {
  readonly after: { readonly createdAt: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** `ctx.services.contactFilters`. */
export interface ContactFilters {
  /**
   * The ids of a page of contacts of the handle's side, newest first.
   * @throws validation_failed for an invalid filter or an unknown segment; insufficient_scope
   */
  find(ctx: ReadContext, wanted: WantedContacts, page: FilterPage): Promise<readonly string[]>;
}

declare module '../../core/contract/open.ts' {
  interface Services {
    contactFilters?: ContactFilters;
  }
}
