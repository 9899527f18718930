// A link in the form that the redirect needs. It is built when the link is loaded, and clicks reuse it. Pure.
import type { RouteRule, Utm } from '../schema.ts';
import type { LinkRow } from '../tables.ts';
import { addUtm } from './add-utm.ts';

/** The link behind a short URL. */
export interface RedirectLink {
  readonly workspaceId: string;
  readonly linkId: string;
  readonly sandbox: boolean;
  readonly slug: string;
  readonly goLiveAt: number;
  readonly expiresAt: number;
  readonly archived: boolean;
  readonly disabled: boolean;
  readonly password: Uint8Array | null;
  readonly rules: readonly RouteRule[];
  readonly utm: Utm;
  /** The Location for visitors whom no rule matches. */
  readonly location: string;
  /** The Locations of the rules. */
  readonly ruleLocations: readonly string[];
}

export function redirectLinkOf(workspaceId: string, row: LinkRow): RedirectLink {
  return {
    workspaceId,
    linkId: row.id,
    sandbox: row.sandbox,
    slug: row.slug,
    goLiveAt: row.go_live_at ?? 0,
    expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
    archived: row.archived_at !== null,
    disabled: row.abuse === 'disabled' || row.abuse === 'held',
    password: row.password,
    rules: row.route_rules,
    utm: row.utm,
    location: addUtm(row.destination_url, row.utm),
    ruleLocations: row.route_rules.map(({ destinationUrl }) => addUtm(destinationUrl, row.utm)),
  };
}
