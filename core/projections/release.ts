// The release of this package, as the OpenAPI document and the tool endpoint say it.
// A test holds it against package.json; nothing else may state it.

/** The version in package.json. */
export const release = '0.1.0';
