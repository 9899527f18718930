// The keyring port: encrypts what must not be in the database in plain text. Every sealed value names its key, so that
// keys can rotate: new values use the first key, old ones open with theirs.

/**
 * An open keyring, as plugins get it in `ctx.ports.keyring`. The option `keyring` of createService takes a KeyringAdapter, which
 * opens one. Seals and opens small values. Authenticated: a changed byte or another context makes opening fail.
 */
export interface Keyring {
  /** `context` binds the value to its place (`send:snd_…`); opening needs the same one. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** @throws when the key is unknown, or the value or its context was altered */
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Whether the present first key opens this value. Where not, seal it anew, so that the old key can go. Never throws. */
  isCurrent(sealed: Uint8Array, context: string): boolean;
  /** HMAC-SHA256 of `text` under a key derived for `purpose`: for cursors, tokens, session ids. */
  mac(text: string, purpose: string): Uint8Array;
  /**
   * Whether one of the keys made this MAC, or at least its first 16 bytes (RFC 2104, section 5). In constant time. For
   * tokens that must stay valid after a rotation, such as those in sent mail.
   */
  verifyMac(mac: Uint8Array, text: string, purpose: string): boolean;
}

/** What the option `keyring` of createService takes, and `localKeyring(…)` makes: where the keys come from. Read at start, not at construction. */
export interface KeyringAdapter {
  readonly id: string;
  /** The file that holds the keys, where they are in one. */
  readonly file?: string;
  /** @throws in production when no key is configured */
  open(environment: 'development' | 'production'): Promise<Keyring>;
}
