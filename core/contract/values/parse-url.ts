// Parses URLs. Called instead of URL.canParse, which a guard forbids: on Node 20 and 22 it returns false for every URL with a
// letter such as ü, once V8 has optimised its callers (a process that runs for some minutes). `new URL` is not affected.

/** The parsed URL (WHATWG URL standard), relative to `base` if there is one; undefined if the text is not a URL. Never throws. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
