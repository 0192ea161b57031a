import type { ClusterMember } from '../../../cluster/member.ts'
import { HttpRefusal, storeAway } from './refusals.ts'

/** Runs a step on the store of a cluster; a failure of the store is answered with 503, and reported once. */
export async function orAway<Result>(member: ClusterMember, step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof HttpRefusal) throw error
    member.failed(error)
    throw storeAway()
  }
}
