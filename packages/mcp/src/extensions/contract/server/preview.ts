import type { ServerRequest } from '../../../dialects/dialect.ts'
import type { Context } from '../../../server/context.ts'
import type { ServerHost } from '../../../server/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import { kindOf } from '../../../wire/kind-of.ts'
import type { Fields } from '../../../wire/messages.ts'
import { digest, SealError, type Sealer } from '../../../wire/sealed.ts'
import { badTerm, contractId } from '../terms.ts'
import type { CallState } from './call-state.ts'

/** Effects that a tool would have, in words and in order. */
export interface Plan {
  readonly effects: readonly string[]
}

/** Makes a plan for a preview. */
export function plan(effects: readonly string[]): Plan {
  if (!Array.isArray(effects) || effects.some((effect) => typeof effect !== 'string'))
    throw new McpError('Misuse', 'Cannot make a plan: it is a list of texts, one for each effect')
  return { effects }
}

/** Says what a call would do. */
// biome-ignore lint/suspicious/noExplicitAny: the input has the type of the tool's schema, which an extension cannot refer to
export type PreviewHandler = (input: any, ctx: Context) => Plan | Promise<Plan>

interface Previewed {
  readonly state: CallState
  readonly request: ServerRequest
  readonly input: unknown
  readonly ctx: Context
}

/** Answers dry runs, and holds a call to the plan it names. */
export class Previews {
  readonly #server: string
  readonly #sealer: Sealer
  readonly #maxAgeMs: number

  constructor({ info, sealer }: Pick<ServerHost, 'info' | 'sealer'>, maxAgeMs: number) {
    this.#server = info.name
    this.#sealer = sealer
    this.#maxAgeMs = maxAgeMs
  }

  /** The answer to a dry run: the effects, and a plan that a call may name. */
  async answer(preview: PreviewHandler | undefined, call: Previewed): Promise<Fields> {
    const { tool } = call.state
    if (!preview) throw badTerm('dryRun', `is not possible: tool "${tool}" cannot say what it would do`)
    const { effects } = await this.#effectsOf(preview, call)
    const sealed = await this.#sealer.seal(
      await content(call, effects),
      this.#binding(call),
      Date.now() + this.#maxAgeMs,
    )
    const text = effects.length > 0 ? effects.join('\n') : 'Nothing would happen'
    return { content: [{ type: 'text', text }], _meta: { [contractId]: { effects, plan: sealed } } }
  }

  /** Refuses a call whose plan is not one of ours, is too old, or would be another one now. */
  async check(preview: PreviewHandler | undefined, call: Previewed): Promise<void> {
    const { terms, tool } = call.state
    if (terms.plan === undefined) return
    if (!preview) throw badTerm('plan', `cannot be held to: tool "${tool}" makes no plans`)
    const planned = await this.#sealer.open(terms.plan, this.#binding(call)).catch((error: unknown) => {
      if (!(error instanceof SealError)) throw error
      throw badTerm(
        'plan',
        `is ${error.reason === 'expired' ? 'too old' : 'not a plan for this tool and caller'}: make another dry run`,
        {
          reason: error.reason,
        },
      )
    })
    const { effects } = await this.#effectsOf(preview, call)
    if (planned !== (await content(call, effects)))
      throw badTerm('plan', 'no longer holds: the arguments or the effects are others now; make another dry run', {
        reason: 'changed',
        effects,
      })
  }

  // servers may share their keys
  #binding({ state, request }: Previewed): string {
    return JSON.stringify(['plan', this.#server, state.tool, request.caller.principal ?? null])
  }

  async #effectsOf(preview: PreviewHandler, { input, ctx, state }: Previewed): Promise<Plan> {
    const made = await preview(input, ctx)
    if (!Array.isArray(made?.effects))
      throw new McpError('Misuse', `The preview of tool "${state.tool}" returned ${kindOf(made)}: return plan([…])`)
    return made
  }
}

function content({ request }: Previewed, effects: readonly string[]): Promise<string> {
  return digest({ arguments: request.params.arguments ?? {}, effects })
}
