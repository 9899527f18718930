// The keyring port: encrypts values that must not be in the database in plain text. Every sealed value names its key, so
// that keys can rotate: new values are sealed with the first key, and old values are opened with their own key.

/**
 * An open keyring: seals (encrypts) and opens (decrypts) small values. Plugins get it as `ctx.ports.keyring`. The option
 * `keyring` of createService takes a KeyringAdapter, which opens a keyring. The encryption is authenticated: if a byte or the
 * context differs, opening fails.
 */
export interface Keyring {
  /** Encrypts a value. `context` binds the value to its location (`send:snd_…`); `open` needs the same context. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  /** Decrypts a value. @throws if the key is unknown, or if the value or its context was altered */
  open(sealed: Uint8Array, context: string): Uint8Array;
  /**
   * Whether the present first key opens this value. If not, seal the value again so that the old key can be removed. Never
   * throws.
   */
  isCurrent(sealed: Uint8Array, context: string): boolean;
  /** HMAC-SHA256 of `text` under a key derived for `purpose`: for cursors, tokens, session ids. */
  mac(text: string, purpose: string): Uint8Array;
  /**
   * Whether one of the keys made this MAC. A truncated MAC is accepted too, from 16 bytes on (RFC 2104, section 5). Runs in
   * constant time. For tokens that must stay valid after a rotation, such as tokens in sent mail.
   */
  verifyMac(mac: Uint8Array, text: string, purpose: string): boolean;
}

/**
 * The source of the keys: the value of the option `keyring` of createService, made for example by `localKeyring(…)`. The
 * keys are read at the start of the service, not at construction.
 */
export interface KeyringAdapter {
  readonly id: string;
  /** The path of the file with the keys, if they are in a file. */
  readonly file?: string;
  /** @throws in production if no key is configured */
  open(environment: 'development' | 'production'): Promise<Keyring>;
}
