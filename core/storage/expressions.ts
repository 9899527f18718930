// Builds conditions apart from a statement, so that it is known whether there are any before the statement is made. Used by
// the reads of declared tables (core/resources), which import no values of Kysely.
export { expressionBuilder } from 'kysely';
