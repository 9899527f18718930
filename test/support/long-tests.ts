// Tells whether this run uses the long versions of the tests. The short versions detect every fault that the tests know. The long
// versions search for rarer faults, with more kills, more requests and more databases.

/** True with POSTRIDER_TEST_LONG=1. */
export const longTests = process.env.POSTRIDER_TEST_LONG === '1';
