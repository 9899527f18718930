// A memo: creates a value once for each key and keeps it as long as the memo exists. Called by compile.ts.

export function once<T>(memo: Map<string, T>, key: string, make: () => T): T {
  const value = memo.get(key) ?? make();
  memo.set(key, value);
  return value;
}
