// Writes generated data with one line for each entry, so that a diff shows the changed entries. Called by the scripts that write
// *.gen.ts.

/** The source of an object literal. */
export const lineByEntry = (data: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(data)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
    .join('')}}`;
