// The addresses that links and pictures of a text may have. Called while the tree is created. Pure.

/** Whether a link may have this address. `//host` is not a path of the site, but an address of another site. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i.test(url);

/** Whether this is an address of another site, or a complete address of this site. */
export const isOutside = (url: string): boolean => /^https?:/i.test(url);

/** The id of a picture of the workspace; undefined for other addresses. */
export const assetIn = (url: string): string | undefined => /^asset:(asset_[0-9A-HJKMNP-TV-Z]{26})$/.exec(url)?.[1];
