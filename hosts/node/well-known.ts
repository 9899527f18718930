// Requests to the well-known addresses at the root of an origin, outside of the mount: clients of the MCP endpoint look there,
// too. The service itself recognises its own addresses among them.

/** Whether the target of a request is a well-known address (RFC 8615). */
export const isWellKnown = (target: string): boolean => target.startsWith('/.well-known/');
