// The version of this package for the OpenAPI document and the MCP endpoint. A test compares it with package.json; no
// other file may state it.

/** The version in package.json. */
export const release = '0.1.0';
