// The reader that finds the place of an address. Types only; the program provides an adapter.

/** A place. Unknown fields are left out. */
export interface GeoPlace {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** The name in English. */
  readonly city?: string | undefined;
}

/** Finds places. Must be quick, because it is called between two requests. */
export interface GeoReader {
  /** Opens files, once, when the plugin starts or at the first click. (Default: nothing to open) */
  open?(): Promise<void>;
  /** The place of an IP address. Must not throw. */
  find(address: string): GeoPlace | undefined;
}
