// Whether this run takes the long versions of the tests. The short ones show every fault that the long ones show: these
// look for rarer ones, with more kills, more requests and more databases.

/** True with POSTRIDER_TEST_LONG=1. */
export const longTests = process.env.POSTRIDER_TEST_LONG === '1';
