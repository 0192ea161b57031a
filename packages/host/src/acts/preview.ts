import type { Fields } from '@trunkline/mcp'
import type { ResultTerms } from '@trunkline/mcp/contract'
import { keepsContract } from '../relay/terms/terms-upstream.ts'
import { contractKey } from '../servers/contract-key.ts'
import type { Upstream } from '../servers/upstream.ts'
import type { Doing } from './doing.ts'

const maxEffects = 50
const maxChars = 500

/**
 * Preview of a call by its server, for the person who is asked about it. Only a program on this machine is asked,
 * since the arguments leave with the question; one that does not answer in time leaves the person with the arguments.
 */
export async function previewOf(
  { act, params, call }: Doing,
  upstream: Upstream,
  previewMs: number,
): Promise<readonly string[] | undefined> {
  if (upstream.spec.launch.kind !== 'program') return undefined
  const _meta = { ...(params._meta as Fields | undefined), [contractKey]: { dryRun: true, deadlineMs: previewMs } }
  try {
    const result = await upstream.run(async (client) => {
      if (!keepsContract(client)) return {}
      const asked = { ...params, arguments: act.arguments, _meta }
      return client.request('tools/call', asked, { timeoutMs: previewMs, maxTotalMs: previewMs, signal: call.signal })
    }, call.signal)
    return effectsIn(result)
  } catch {
    call.signal.throwIfAborted()
    return undefined
  }
}

/** True if a tool can preview its calls. */
export function hasPreview(definition: Fields | undefined): boolean {
  const terms = (definition?._meta as Fields | undefined)?.[contractKey] as Fields | undefined
  return terms?.preview === true
}

function effectsIn({ _meta }: Fields): readonly string[] | undefined {
  const { effects } = ((_meta as Fields | undefined)?.[contractKey] ?? {}) as ResultTerms
  if (!Array.isArray(effects)) return undefined
  return effects.slice(0, maxEffects).map((effect) => String(effect).slice(0, maxChars))
}
