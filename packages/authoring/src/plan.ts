/** `trunkline pipe`: a plan of calls, read from a file. */
export { readPlan } from './plan/read-plan.ts'
