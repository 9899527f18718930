// Creates a value once for each key, and stores it in a memo. Called by compile.ts.

export function once<T>(memo: Map<string, T>, key: string, make: () => T): T {
  const value = memo.get(key) ?? make();
  memo.set(key, value);
  return value;
}
