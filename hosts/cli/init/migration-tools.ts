// The settings that keep a project's migration tools away from the tables of Postrider: text that `init` prints.
// docs/databases.md has the same settings as a table.
import type { Detected, InitDatabase } from './detect.ts';

/** Keeps one tool away. */
export interface ToolFilter {
  readonly tool: string;
  /** What the tool would do, and which setting to change. */
  readonly advice: string;
  /** Lines for the tool's own config; none if a setting must be left out. */
  readonly lines: readonly string[];
}

/** The PostgreSQL schema in the written config. */
export const ownSchema = 'postrider';

interface MigrationTool {
  readonly name: string;
  /** Packages of the tool. Any one of them shows that the project uses the tool. */
  readonly packages: readonly string[];
  /** The filter if the tables are in a separate schema; undefined if none is needed. */
  readonly besideSchema: Omit<ToolFilter, 'tool'> | undefined;
  /** The filter if the tables are among those of the program. */
  readonly amongTables: Omit<ToolFilter, 'tool'>;
}

// Knex, Kysely and Sequelize change only tables that the program's migrations and models name.
const tools: readonly MigrationTool[] = [
  {
    name: 'drizzle-kit',
    packages: ['drizzle-kit', 'drizzle-orm'],
    besideSchema: {
      advice: `drizzle-kit push drops what your Drizzle schema lacks. List your own schemas in drizzle.config.ts, without ${ownSchema}:`,
      lines: ["schemaFilter: ['public'],"],
    },
    amongTables: {
      advice: 'drizzle-kit push drops tables that your Drizzle schema lacks. Add to drizzle.config.ts:',
      lines: ["tablesFilter: ['!postrider_*'],"],
    },
  },
  {
    name: 'Prisma',
    packages: ['prisma', '@prisma/client'],
    besideSchema: {
      advice: `Prisma looks only into its own schemas. If the datasource in schema.prisma lists \`schemas\`, leave ${ownSchema} out.`,
      lines: [],
    },
    amongTables: {
      advice:
        'prisma db push drops tables that have no model, and migrate dev wants to reset the database. Name every table of Postrider in prisma.config.ts, after npx postrider migrate has made them:',
      lines: ['experimental: { externalTables: true },', "tables: { external: ['postrider_sends', …] },"],
    },
  },
  {
    name: 'MikroORM',
    packages: ['@mikro-orm/core'],
    besideSchema: {
      advice: 'MikroORM drops tables that have no entity, in every schema. Add to its config:',
      lines: [`schemaGenerator: { ignoreSchema: ['${ownSchema}'] },`],
    },
    amongTables: {
      advice: 'MikroORM drops tables that have no entity. Add to its config:',
      lines: ['schemaGenerator: { skipTables: [/^postrider_/] },'],
    },
  },
  {
    name: 'TypeORM',
    packages: ['typeorm'],
    besideSchema: undefined,
    amongTables: {
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
  const found = tools.filter(({ packages }) => packages.some((name) => listed.has(name)));
  return found.flatMap(({ name: tool, besideSchema, amongTables }) => {
    if (database !== 'postgres') return [{ tool, ...amongTables }];
    if (existing !== undefined)
      return [
        {
          tool,
          advice: `What keeps ${tool} away from the tables of Postrider depends on their schema: see docs/databases.md#migration-tools, in the package.`,
          lines: [],
        },
      ];
    return besideSchema === undefined ? [] : [{ tool, ...besideSchema }];
  });
}
