/** Why a connector cannot be used now: it waits for new credentials, or for its provider. Holds no credentials. */
export class ConnectorUnusable extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ConnectorUnusable';
  }
}
