// Finds the client of a request by its id.
import type { PublicRouteContext } from '../../../core/index.ts';
import type { ClientFault, OAuthClient } from './client.ts';
import { type ClientDocuments, isDocumentUrl } from './documents.ts';
import { findRegistered } from './registration.ts';

/** The rules for clients, made from the plugin's options. */
export interface ClientRules {
  readonly documents: ClientDocuments;
  /** The private-use schemes that the program registered. */
  readonly schemes: ReadonlySet<string>;
}

/** The client with this id, by its metadata document or its registration. */
export const findClient = (
  ctx: PublicRouteContext,
  { documents }: ClientRules,
  id: string,
): Promise<OAuthClient | ClientFault> => (isDocumentUrl(id) ? documents.find(ctx, id) : findRegistered(ctx, id));
