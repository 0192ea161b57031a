/**
 * The environment variable by which the gate says that all is built. It builds once, before the steps that need it: a step
 * that built again would take the files away from the tests beside it.
 */
export const alreadyBuilt = 'TRUNKLINE_BUILT'

/** True if the gate has built all. */
export function isBuilt(): boolean {
  return process.env[alreadyBuilt] === '1'
}
