// The reader that finds the location of an address. Types only; the program provides an adapter.

/** A location. Unknown fields are left out. */
export interface GeoLocation {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** The name in English. */
  readonly city?: string | undefined;
}

/** Finds locations. Must be quick, because it is called between two requests. */
export interface GeoReader {
  /** Opens files, once, when the plugin starts or at the first click. (Default: nothing to open) */
  open?(): Promise<void>;
  /** The location of an IP address. Must not throw. */
  find(address: string): GeoLocation | undefined;
}
