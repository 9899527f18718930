// What finds the place of an address. Types only: implementations are adapters of the program.

/** A place; what is not known is left out. */
export interface GeoPlace {
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** The name in English. */
  readonly city?: string | undefined;
}

/** Finds places. Must be quick: it is asked between two requests. */
export interface GeoReader {
  /** Opens files, once, when the plugin starts or at the first click. (Default: nothing to open) */
  open?(): Promise<void>;
  /** The place of an IP address. Must not throw. */
  find(address: string): GeoPlace | undefined;
}
