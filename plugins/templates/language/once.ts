// What is made once for each key, for as long as its memo lives. Called by compile.ts.

export function once<T>(memo: Map<string, T>, key: string, make: () => T): T {
  const made = memo.get(key) ?? make();
  memo.set(key, made);
  return made;
}
