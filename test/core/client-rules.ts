// Rules of known clients and models for the schemas of tools, each with the bug report that describes it. A client that refuses one tool
// often refuses the whole list. Used by mcp-client-rules.test.ts.
import { isRecord, type JsonSchema } from '../../core/projections/schema-parts.ts';

/** A tool as a client gets it. */
export interface RuledTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** A rule of clients for tools. `rule` is the rule as a sentence; `faults` returns the violations of a tool. */
export interface ClientRule {
  readonly clients: string;
  readonly rule: string;
  readonly source: string;
  faults(tool: RuledTool): readonly string[];
}

const data: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required']);
const keywordsWithNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
]);

/** Every schema inside a schema, including the schema itself, with its path */
export function* schemasIn(schema: JsonSchema, path = ''): Generator<readonly [string, JsonSchema]> {
  yield [path, schema];
  for (const [keyword, value] of Object.entries(schema)) {
    if (data.has(keyword)) continue;
    const inner =
      keywordsWithNames.has(keyword) && isRecord(value) ? Object.entries(value) : Object.entries([value].flat());
    for (const [name, one] of inner) if (isRecord(one)) yield* schemasIn(one, `${path}/${keyword}/${name}`);
  }
}

const checkSchemas =
  (fault: (schema: JsonSchema) => string | false | undefined) =>
  ({ inputSchema }: RuledTool): readonly string[] =>
    [...schemasIn(inputSchema)].flatMap(([path, schema]) => {
      const message = fault(schema);
      return message === false || message === undefined ? [] : [`${path}: ${message}`];
    });

const propertyNames = ({ properties }: JsonSchema): readonly string[] =>
  isRecord(properties) ? Object.keys(properties) : [];

/** The definitions that refer to themselves, directly or through other definitions, and the references without a definition. */
export function cyclesIn(schema: JsonSchema): readonly string[] {
  const definitions = (isRecord(schema.$defs) ? schema.$defs : {}) as Record<string, JsonSchema>;
  const targets = (from: JsonSchema): readonly string[] =>
    [...schemasIn(from)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref.slice('#/$defs/'.length)] : []));
  const refersTo = (start: string, from: string, seen = new Set<string>()): boolean =>
    targets(definitions[from] ?? {}).some((next) => {
      if (next === start) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return refersTo(start, next, seen);
    });
  const dangling = targets(schema).filter((name) => definitions[name] === undefined);
  return [...Object.keys(definitions).filter((name) => refersTo(name, name)), ...dangling];
}

/** Rules that apply for every option of the endpoint's URL. */
export const rulesAlways: readonly ClientRule[] = [
  {
    clients: 'Anthropic, OpenAI',
    rule: 'the root is an object without oneOf, anyOf, allOf, enum and not',
    source:
      'https://github.com/anthropics/claude-code/issues/40075, https://github.com/makenotion/notion-mcp-server/issues/341',
    faults: ({ inputSchema }) => [
      ...['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref'].filter((word) => word in inputSchema),
      ...(inputSchema.type === 'object' && isRecord(inputSchema.properties) ? [] : ['the root is not an object']),
    ],
  },
  {
    clients: 'Gemini, Google ADK, Kimi',
    rule: 'every reference has a target, and no definition refers to itself',
    source:
      'https://github.com/google-gemini/gemini-cli/issues/14945, https://github.com/google/adk-python/issues/3870, https://github.com/MoonshotAI/kimi-code/pull/830',
    faults: ({ inputSchema, outputSchema = {} }) => [...cyclesIn(inputSchema), ...cyclesIn(outputSchema)],
  },
  {
    clients: 'Cursor (60 with the name of the server), Claude (64), OpenAI (64)',
    rule: 'the name has at most 40 letters, digits and underscores, which leaves 20 for the name of the server',
    source: 'https://github.com/sparfenyuk/mcp-proxy/issues/45, https://github.com/awslabs/mcp/issues/616',
    faults: ({ name }) => (/^[a-z][a-z0-9_]{0,39}$/.test(name) ? [] : [name]),
  },
  {
    clients: 'Anthropic',
    rule: 'names of arguments have 1 to 64 letters, digits, dots, hyphens and underscores',
    source: 'https://github.com/freee/freee-mcp/issues/15, https://github.com/anthropics/claude-code/issues/79418',
    faults: checkSchemas((schema) => propertyNames(schema).find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))),
  },
  {
    clients: 'VS Code, Gemini',
    rule: 'an array has one schema for its items',
    source:
      'https://github.com/microsoft/vscode-copilot-release/issues/7891, https://github.com/DEEIX-AI/DEEIX-Chat/issues/546',
    faults: checkSchemas(({ type, items, prefixItems }) => {
      if (prefixItems !== undefined) return 'prefixItems';
      return type === 'array' && !isRecord(items) && 'items';
    }),
  },
  {
    clients: 'Gemini, VS Code',
    rule: 'each required argument exists',
    source: 'https://github.com/google-gemini/gemini-cli/issues/13326',
    faults: checkSchemas((schema) =>
      ((schema.required ?? []) as string[]).find((name) => isRecord(schema.properties) && !(name in schema.properties)),
    ),
  },
  {
    clients: 'Gemini',
    rule: 'enum and const have only texts, with the type string',
    source: 'https://github.com/diegosouzapw/OmniRoute/pull/760, https://github.com/decolua/9router/pull/380',
    faults: checkSchemas(({ type, enum: values, const: value }) => {
      const all = [...((values ?? []) as unknown[]), ...(value === undefined ? [] : [value])];
      if (all.length === 0) return false;
      return (
        (type !== 'string' || all.some((one) => typeof one !== 'string')) && `enum or const ${JSON.stringify(all)}`
      );
    }),
  },
  {
    clients: 'Gemini, Codex, Fireworks',
    rule: 'the type is one word, and null has its own branch',
    source: 'https://github.com/openai/codex/pull/1975, https://github.com/NousResearch/hermes-agent/pull/44676',
    faults: checkSchemas(
      ({ type }) => type !== undefined && typeof type !== 'string' && `type ${JSON.stringify(type)}`,
    ),
  },
  {
    clients: 'OpenAI (strict), llama.cpp',
    rule: 'only keywords that all clients know',
    source: 'https://github.com/anomalyco/opencode/pull/32489, https://github.com/Kilo-Org/kilocode/pull/6755',
    faults: checkSchemas((schema) => Object.keys(schema).find((keyword) => !knownKeywords.has(keyword))),
  },
  {
    clients: 'clients that check arguments with Ajv',
    rule: 'formats are those of JSON Schema',
    source: 'https://github.com/can1357/oh-my-pi/pull/276',
    faults: checkSchemas(({ format }) => typeof format === 'string' && !knownFormats.has(format) && `format ${format}`),
  },
  {
    clients: 'OpenAI, Copilot',
    rule: 'the description has at most 1,024 characters',
    source: 'https://github.com/getsentry/sentry-mcp/issues/106',
    faults: ({ description = '' }) => (description.length > 0 && description.length <= 1_024 ? [] : ['description']),
  },
];

/** Rules of tools/list without ?schemas=full. */
export const rulesOfList: readonly ClientRule[] = [
  {
    clients: 'Codex, Gemini, OpenCode, oh-my-pi',
    rule: 'the schema has no references',
    source:
      'https://github.com/openai/codex/issues/3152, https://github.com/google-gemini/gemini-cli/issues/13142, https://github.com/anomalyco/opencode/issues/12295',
    faults: ({ inputSchema }) =>
      /"\$(?:ref|defs)"/.test(JSON.stringify(inputSchema)) ? ['a reference or a definition'] : [],
  },
];

const knownKeywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', 'oneOf', 'default'],
  ...[
    'description',
    'title',
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'minItems',
    'maxItems',
  ],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'examples', 'propertyNames', '$ref', '$defs'],
]);

const knownFormats: ReadonlySet<string> = new Set([
  'email',
  'uri',
  'date',
  'date-time',
  'time',
  'duration',
  'uuid',
  'ipv4',
  'ipv6',
]);
