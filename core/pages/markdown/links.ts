// Where links and pictures of a text may lead. Called while its tree is made. Pure.

/** A path of the site is no address of another: `//host`. */
export const isLink = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\]))/i.test(url);

/** An address of another site, or of this one as others see it. */
export const isOutside = (url: string): boolean => /^https?:/i.test(url);

/** The id of a picture of the workspace; undefined for what is none. */
export const assetIn = (url: string): string | undefined => /^asset:(asset_[0-9A-HJKMNP-TV-Z]{26})$/.exec(url)?.[1];
