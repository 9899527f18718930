// Removes the key from everything that the launcher writes: the endpoint may repeat it in an error, a header or an
// answer, and clients keep all of that in logs and in a model's context. Pure; called by bridge.ts.

/** Shorter texts are no keys of the service, and would be found in the middle of words. */
const minLength = 8;

/** Puts a placeholder in place of the key, written plainly or as JSON escapes it. */
export function concealing(key: string): (text: string) => string {
  if (key.length < minLength) return (text) => text;
  const inJson = JSON.stringify(key).slice(1, -1);
  const names = inJson === key ? [key] : [inJson, key];
  return (text) => names.reduce((rest, name) => rest.replaceAll(name, '[API key]'), text);
}
