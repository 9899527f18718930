// Removes the key from everything that the launcher writes. The endpoint may repeat the key in an error, a header or a response,
// and clients store these in logs and in a model's context. Pure; called by bridge.ts.

/** Shorter texts are not keys of the service, and would match in the middle of words. */
const minLength = 8;

/** Replaces the key with a placeholder, both in plain text and in its form as a JSON string. */
export function createConcealer(key: string): (text: string) => string {
  if (key.length < minLength) return (text) => text;
  const inJson = JSON.stringify(key).slice(1, -1);
  const names = inJson === key ? [key] : [inJson, key];
  return (text) => names.reduce((rest, name) => rest.replaceAll(name, '[API key]'), text);
}
