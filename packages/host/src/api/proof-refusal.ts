import { ProofError } from '../inbox/proof/proof-error.ts'
import { ApiError } from './api-error.ts'

const statuses = { Wrong: 422, Wait: 403, Missing: 409, Damaged: 409, Unfit: 400, Full: 409 } as const

/** Answers with the problem of a proof. */
export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ProofError ? new ApiError(statuses[error.code], error.message) : error
  }
}
