// Whether this run takes the long versions of the tests. The short versions show every fault that the long ones show;
// the long ones look for rarer faults, with more kills, more requests and more databases.

/** True with POSTRIDER_TEST_LONG=1. */
export const longTests = process.env.POSTRIDER_TEST_LONG === '1';
