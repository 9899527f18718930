/**
 * The error of a connector that cannot be used now: it needs new credentials, or its provider is unavailable. Contains no
 * credentials.
 */
export class ConnectorUnusable extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ConnectorUnusable';
  }
}
