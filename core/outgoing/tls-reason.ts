// The reason of a failed TLS connection, as the end of a sentence that begins with the host. Called by connect.ts and
// exchange.ts.

const untrusted = 'has a certificate that was not signed by a known authority';

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  CERT_REVOKED: 'has a certificate that was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${untrusted}, or does not send the intermediate certificates`,
};

/** The reason for a cause. An undefined cause means that the handshake took too long. */
export function tlsReason(cause: unknown): string {
  if (cause === undefined) return 'did not finish the TLS handshake in time';
  return reasons[(cause as { code?: string }).code ?? ''] ?? 'broke off the TLS handshake';
}

/** Whether an error on an open connection came from TLS, such as a missing client certificate. */
export const isTlsFault = (error: unknown): boolean =>
  /^ERR_(SSL|TLS)_/.test((error as { code?: string } | null)?.code ?? '');
