// The settings that keep a project's migration tools away from the tables of Postrider: text that `init` prints.
// docs/databases.md has the same settings as a table.
import type { Detected, InitDatabase } from './detect.ts';

/** The settings that keep one migration tool away from the tables. */
export interface ToolFilter {
  readonly tool: string;
  /** The effect of the tool on the tables, and the setting to change. */
  readonly advice: string;
  /** Lines for the tool's own config; empty if the advice is to leave a setting out. */
  readonly lines: readonly string[];
}

/** The PostgreSQL schema in the written config. */
export const ownSchema = 'postrider';

interface MigrationTool {
  readonly name: string;
  /** Packages of the tool. Any one of them shows that the project uses the tool. */
  readonly packages: readonly string[];
  /** The filter if the tables are in a separate schema; undefined if no filter is needed. */
  readonly inOwnSchema: Omit<ToolFilter, 'tool'> | undefined;
  /** The filter if the tables are in the same schema as the tables of the program. */
  readonly inSharedSchema: Omit<ToolFilter, 'tool'>;
}

// Knex, Kysely and Sequelize change only tables that the program's migrations and models name.
const tools: readonly MigrationTool[] = [
  {
    name: 'drizzle-kit',
    packages: ['drizzle-kit', 'drizzle-orm'],
    inOwnSchema: {
      advice: `drizzle-kit push drops what your Drizzle schema lacks. List your own schemas in drizzle.config.ts, without ${ownSchema}:`,
      lines: ["schemaFilter: ['public'],"],
    },
    inSharedSchema: {
      advice: 'drizzle-kit push drops tables that your Drizzle schema lacks. Add to drizzle.config.ts:',
      lines: ["tablesFilter: ['!postrider_*'],"],
    },
  },
  {
    name: 'Prisma',
    packages: ['prisma', '@prisma/client'],
    inOwnSchema: {
      advice: `Prisma looks only into its own schemas. If the datasource in schema.prisma lists \`schemas\`, leave ${ownSchema} out.`,
      lines: [],
    },
    inSharedSchema: {
      advice:
        'prisma db push drops tables that have no model, and migrate dev wants to reset the database. Name every table of Postrider in prisma.config.ts, after npx postrider migrate has made them:',
      lines: ['experimental: { externalTables: true },', "tables: { external: ['postrider_sends', …] },"],
    },
  },
  {
    name: 'MikroORM',
    packages: ['@mikro-orm/core'],
    inOwnSchema: {
      advice: 'MikroORM drops tables that have no entity, in every schema. Add to its config:',
      lines: [`schemaGenerator: { ignoreSchema: ['${ownSchema}'] },`],
    },
    inSharedSchema: {
      advice: 'MikroORM drops tables that have no entity. Add to its config:',
      lines: ['schemaGenerator: { skipTables: [/^postrider_/] },'],
    },
  },
  {
    name: 'TypeORM',
    packages: ['typeorm'],
    inOwnSchema: undefined,
    inSharedSchema: {
      advice: 'TypeORM keeps tables that have no entity, but dropSchema drops them all: never set it.',
      lines: [],
    },
  },
];

/** The filters of the migration tools that package.json lists. An existing config may use any location for the tables. */
export function toolFilters(
  { packages: listed }: Pick<Detected, 'packages'>,
  database: InitDatabase,
  existing: string | undefined,
): readonly ToolFilter[] {
  const usedTools = tools.filter(({ packages }) => packages.some((name) => listed.has(name)));
  return usedTools.flatMap(({ name: tool, inOwnSchema, inSharedSchema }) => {
    if (database !== 'postgres') return [{ tool, ...inSharedSchema }];
    if (existing !== undefined)
      return [
        {
          tool,
          advice: `The setting that keeps ${tool} away from the tables of Postrider depends on their schema: see docs/databases.md#migration-tools, in the package.`,
          lines: [],
        },
      ];
    return inOwnSchema === undefined ? [] : [{ tool, ...inOwnSchema }];
  });
}
