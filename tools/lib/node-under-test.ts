/**
 * The Node that starts what is under test. The tests themselves need a new one; `npm run nodes` names here the others that
 * the README promises.
 */
export const nodePath = process.env.NODE_UNDER_TEST ?? process.execPath
