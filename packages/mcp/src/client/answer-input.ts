import type { AnswerInput } from '../dialects/dialect.ts'
import type { ClientCapabilities, ElicitationRequest, Root, SamplingRequest } from '../model/input.ts'
import { balanceProblem } from '../model/sampling-balance.ts'
import { compile } from '../schema/json-schema/compile.ts'
import { describeProblems } from '../schema/problems.ts'
import { InvalidParams, McpError, MethodNotFound, RpcError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import type { ClientOptions } from './client-options.ts'

/** The capabilities that follow from the client's options. */
export function capabilitiesOf({ sampling, elicitation, roots }: ClientOptions): ClientCapabilities {
  const { tools, context } = typeof sampling === 'object' ? sampling : { tools: false, context: false }
  const { form, url } = typeof elicitation === 'object' ? elicitation : { form: elicitation, url: undefined }
  return {
    ...(sampling && { sampling: { ...(tools === true && { tools: {} }), ...(context === true && { context: {} }) } }),
    ...(elicitation && {
      elicitation: { ...(form !== undefined && { form: {} }), ...(url !== undefined && { url: {} }) },
    }),
    ...(roots && { roots: { listChanged: true } }),
  }
}

/**
 * Answers the requests of a server: sampling, elicitation and roots. `roots` is called each time, since it may
 * change.
 */
export function answerInput(options: ClientOptions, roots: () => readonly Root[] | undefined): AnswerInput {
  const { sampling, elicitation } = options
  const sample = typeof sampling === 'function' ? sampling : sampling?.sample
  const form = typeof elicitation === 'function' ? elicitation : elicitation?.form
  const url = typeof elicitation === 'object' ? elicitation.url : undefined
  const withTools = typeof sampling === 'object' && sampling.tools === true

  return async (method, params) => {
    if (method === 'roots/list') return { roots: roots() ?? refuse(method) }
    if (method === 'sampling/createMessage') {
      if (!sample) return refuse(method)
      if (!withTools && (params.tools || params.toolChoice)) {
        throw new RpcError(InvalidParams, 'Cannot sample: this client did not declare "sampling.tools"', {
          field: 'tools',
        })
      }
      const request = params as unknown as SamplingRequest
      const unbalanced = balanceProblem(request.messages)
      if (unbalanced) throw new RpcError(InvalidParams, `Cannot sample: ${unbalanced}`, { field: 'messages' })
      return assertSample(await sample(request))
    }
    if (method !== 'elicitation/create' || !(form || url)) return refuse(method)
    const request = params as unknown as ElicitationRequest
    const ask = request.mode === 'url' ? url : form
    if (!ask)
      throw new RpcError(InvalidParams, `Cannot ask the user: this client did not declare mode "${request.mode}"`, {
        field: 'mode',
      })
    const answer = await ask(request as never)
    assertAnswer(answer)
    return (
      request.mode === 'form' && answer.action === 'accept'
        ? filled(answer.content, request.requestedSchema)
        : { ...answer }
    ) as Fields
  }
}

function refuse(method: string): never {
  throw new RpcError(MethodNotFound, `Cannot answer "${method}": this client does not offer it`)
}

const actions: readonly unknown[] = ['accept', 'decline', 'cancel']

/** Refuses what is no answer of a user: in plain JavaScript a function may return anything. */
function assertAnswer(answer: unknown): void {
  if (isObject(answer) && actions.includes(answer.action)) return
  const wanted = '{ action: "accept", content }, { action: "decline" } or { action: "cancel" }'
  const given = isObject(answer) ? `${kindOf(answer)} without them` : kindOf(answer)
  throw new McpError('Misuse', `Cannot answer for the user: "elicitation" must return ${wanted}, not ${given}`)
}

function assertSample(sample: unknown): Fields {
  if (isObject(sample) && typeof sample.content === 'object' && typeof sample.model === 'string') return sample
  const wanted = '{ role, content, model }'
  const given = isObject(sample) ? `${kindOf(sample)} without them` : kindOf(sample)
  throw new McpError('Misuse', `Cannot answer for the model: "sampling" must return ${wanted}, not ${given}`)
}

/** Fills a form with its defaults; throws when the content does not match its schema. */
function filled(content: Fields = {}, schema: Fields): Fields {
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const presets = fields.filter(
    ([name, field]) => isObject(field) && field.default !== undefined && content[name] === undefined,
  )
  const complete = {
    ...content,
    ...Object.fromEntries(presets.map(([name, field]) => [name, (field as Fields).default])),
  }
  const problems = compile(schema)(complete)
  if (problems.length === 0) return { action: 'accept', content: complete }
  throw new McpError('Misuse', `Cannot answer the form: ${describeProblems(problems)}`)
}
