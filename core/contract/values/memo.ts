// Caches the results of pure functions whose argument is a text that occurs often, such as the URL of a webhook or
// the name of a time zone. Bounded, because the texts come from users.

/** Returns `make` with a cache of its results for the latest `max` different texts. Errors are not cached. */
export function memoised<T>(max: number, make: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const result = make(text);
    const [oldest] = results.size >= max ? results.keys() : [];
    if (oldest !== undefined) results.delete(oldest);
    results.set(text, result);
    return result;
  };
}
