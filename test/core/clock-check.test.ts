// A process whose clock differs a lot from the clock of the database logs a warning, on each database server.
import * as assert from 'uvu/assert';
import { clockFault } from '../../core/storage/clock-check.ts';
import { eachDatabase } from '../support/databases.ts';
import { createJobBench } from '../support/job-bench.ts';

await eachDatabase('the clock of a process', (test, database) => {
  test("a process whose clock differs a lot from its database's logs a warning", async () => {
    const bench = await createJobBench(database);
    try {
      const faultAhead = (aheadMs: number) => clockFault(bench.database, () => Date.now() + aheadMs);
      assert.equal(
        [await faultAhead(0), await faultAhead(14_000), await faultAhead(-14_000)],
        [undefined, undefined, undefined],
      );
      const [ahead, behind] = [await faultAhead(31_000), await faultAhead(-3_600_000)];
      if (database.name === 'sqlite') assert.equal([ahead, behind], [undefined, undefined]);
      else {
        assert.match(ahead ?? '', /^The clock of this process is 3[01] s ahead of the database's\. /);
        assert.match(behind ?? '', /^The clock of this process is 3(600|599|601) s behind the database's\. /);
      }
    } finally {
      await bench.close();
    }
  });
});
