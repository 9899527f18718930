// Builds conditions before their statement, so that callers know whether there are conditions. Used by the reads of declared
// tables (core/resources), which import no values of Kysely.
export { expressionBuilder } from 'kysely';
