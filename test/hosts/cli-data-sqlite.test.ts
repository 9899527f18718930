// time-limit: 300
import { dataSuite } from './cli-data.ts';

dataSuite('SQLite');
