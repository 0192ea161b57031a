/** Tests that repeat one thing many times: the gate repeats it as often as shows every kind of fault, the long form more. */

/** True where `TRUNKLINE_LONG=1` asks for the long form; tools/README.md lists the tests that have one. */
export const isLong = process.env.TRUNKLINE_LONG === '1'
