import { type Fields, RpcError, TrunklineError } from '@trunkline/mcp'
import type { RelayRequest } from '@trunkline/mcp/relay'
import { failure, Refused } from '../act/refused.ts'
import { contractParts } from '../relay/terms/given-terms.ts'
import { contractKey } from '../servers/contract-key.ts'
import { UpstreamError } from '../servers/upstream-error.ts'

/** A tool that could not be called is a failed result, which a model can read; everything else is an error. */
export async function answerFailure(error: unknown, { method, signal }: RelayRequest): Promise<Fields> {
  signal.throwIfAborted()
  if (error instanceof RpcError) throw error
  const isKnown = error instanceof Refused || error instanceof UpstreamError || error instanceof Error
  const text = isKnown ? error.message : 'The call failed'
  const refused = error instanceof Refused ? refusalMeta(error) : undefined
  if (method !== 'tools/call') throw new RpcError(-32603, text, refused)
  if (refused) return failure(text, refused)
  // a model that is not told would do it again
  const isUnknown = error instanceof TrunklineError && error.outcome === 'Unknown'
  return failure(isUnknown ? `${text}; whether it was done is not known` : text, await retryMeta(error))
}

/** The `_meta` by which programs recognise a refusal: `denied`, `refused`, `waiting`, `limited` and so on. */
function refusalMeta({ outcome, meta }: Refused): Fields {
  return { 'dev.trunkline/refused': outcome, ...meta }
}

/** Retry hint of an HTTP response such as 429, in the form of the contract. */
async function retryMeta(error: unknown): Promise<Fields | undefined> {
  const { retryHintOf } = await contractParts()
  const retry = retryHintOf(error)
  return retry && { [contractKey]: { retry } }
}
