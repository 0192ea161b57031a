import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Caller, Client, Fields } from '@trunkline/mcp'
import type { CallTerms, ResultTerms } from '@trunkline/mcp/contract'
import type { Act } from '../../act/act.ts'
import { contractKey } from '../../servers/contract-key.ts'
import { hashOf } from '../../text/json-hash.ts'
import { contractParts, type GivenTerms } from './given-terms.ts'

/** True if a server or a caller keeps the contract. */
export function keepsContract({ capabilities }: Pick<Client | Caller, 'capabilities'>): boolean {
  return (capabilities.extensions as Fields | undefined)?.[contractKey] !== undefined
}

/**
 * The params for a server, with terms of our own made from those of the caller; terms that a server without the
 * contract could not honour are refused, since it would ignore them.
 */
export async function withTermsFor(client: Client, act: Act, params: Fields, given: GivenTerms): Promise<Fields> {
  if (!keepsContract(client)) {
    await refuseForIgnorant(act, given.terms)
    return params
  }
  if (given.terms.cwd !== undefined) await refuseOutside(act, given.terms.cwd)
  const { want, idempotencyKey, dryRun, plan, cwd } = given.terms
  const terms: CallTerms = {
    ...(want && { want }),
    ...(given.endsAt !== undefined && { deadlineMs: shrunk(given.endsAt - performance.now()) }),
    // a server knows the host as one caller
    ...(idempotencyKey !== undefined && { idempotencyKey: hashOf([act.principal.id, idempotencyKey]) }),
    ...(dryRun !== undefined && { dryRun }),
    ...(plan !== undefined && { plan }),
    ...(cwd !== undefined && { cwd }),
    // callers may call theirs the same
    ...(given.signals && { handle: act.id }),
  }
  return { ...params, _meta: { ...(params._meta as Fields | undefined), [contractKey]: terms } }
}

/** Terms in the result of a server that keeps the contract, for the caller. */
export function termsToPass(client: Client, result: Fields): Fields | undefined {
  const told = (result._meta as Fields | undefined)?.[contractKey]
  if (typeof told !== 'object' || told === null || !keepsContract(client)) return undefined
  const kept = passed.filter((name) => (told as ResultTerms)[name] !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map((name) => [name, (told as ResultTerms)[name]]))
}

const passed = ['status', 'retry', 'steps', 'leftOut', 'plan', 'effects', 'isRepeated', 'spilled'] as const

/** A little less, so that the server gives up first and its answer still arrives. */
function shrunk(leftMs: number): number {
  return Math.max(1, Math.floor(leftMs - Math.min(100, leftMs / 5)))
}

async function refuseForIgnorant({ server }: Act, { dryRun, plan, cwd }: CallTerms): Promise<void> {
  const { badTerm } = await contractParts()
  const ignorant = `server "${server}" does not keep the contract`
  if (dryRun) throw badTerm('dryRun', `cannot be honoured: ${ignorant}, and would run the call`)
  if (plan !== undefined) throw badTerm('plan', `cannot be held to: ${ignorant}`)
  if (cwd !== undefined) throw badTerm('cwd', `cannot be honoured: ${ignorant}; leave it out, or set its "cwd"`)
}

/** A caller works in its project, and nowhere else. */
async function refuseOutside({ project }: Act, cwd: string): Promise<void> {
  const { badTerm } = await contractParts()
  if (project === undefined) throw badTerm('cwd', 'cannot be honoured: the caller has no project')
  const real = await realpath(cwd).catch(() => undefined)
  if (real === undefined) throw badTerm('cwd', 'names no folder')
  const way = relative(await realpath(project).catch(() => project), real)
  if (way === '..' || /^\.\.[\\/]/.test(way) || /^([A-Za-z]:|[\\/])/.test(way))
    throw badTerm('cwd', `leads out of "${project}", where the caller works`)
}
