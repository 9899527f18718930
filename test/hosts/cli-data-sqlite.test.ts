// time-limit: 300
// full-run: slow
import { dataSuite } from './cli-data.ts';

dataSuite('SQLite');
