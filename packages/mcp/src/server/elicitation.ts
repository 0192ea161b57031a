import type { ClientInput } from '../dialects/dialect.ts'
import type { SamplingRequest, SamplingResult } from '../model/input.ts'
import { type AnySchema, adapt, type SchemaOutput } from '../schema/adapter.ts'
import { formSchema } from '../schema/form.ts'
import { describeProblems } from '../schema/problems.ts'
import { McpError } from '../wire/errors.ts'
import { kindOf } from '../wire/kind-of.ts'
import { type KnownOptions, refuseUnknownOptions } from '../wire/known-options.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { wireShapeOf } from './wire-shapes.ts'

/** Options of a question. */
export interface AskOptions {
  /** The key of the question, which identifies it even if its text changes. @default a name made of its words */
  readonly key?: string
}

const knownOptions = { key: true } as const satisfies KnownOptions<AskOptions>

/** The key that options of a question give; `action` is as in `Cannot sample`. */
export function questionKey(action: string, options: AskOptions | undefined): string | undefined {
  refuseUnknownOptions(action, options, knownOptions)
  return options?.key
}

interface Asked {
  readonly message: string
  readonly options: AskOptions | undefined
}

/** Asks the user to fill in a form, and checks the answer against the schema. */
export async function elicit<Schema extends AnySchema>(
  input: ClientInput,
  { message, schema, options }: Asked & { readonly schema: Schema },
): Promise<SchemaOutput<Schema>> {
  checkMessage(message)
  const key = questionKey('Cannot ask the user', options)
  const adapted = adapt(schema, { trusted: true })
  const requestedSchema = formSchema(await adapted.input())
  const answer = await input.ask('elicitation/create', { mode: 'form', message, requestedSchema }, { key })
  assertAccepted(answer.action, message)
  const checked = await adapted.check(answer.content ?? {})
  if (checked.ok) return checked.value as SchemaOutput<Schema>
  throw new McpError('Input', `Cannot use the answer to "${message}": ${describeProblems(checked.problems)}`)
}

/** Asks the user to visit a page. */
export async function elicitUrl(
  input: ClientInput,
  { message, url, options }: Asked & { readonly url: string | URL },
): Promise<void> {
  checkMessage(message)
  const key = questionKey('Cannot ask the user', options)
  if (!URL.canParse(String(url)))
    throw new McpError('Misuse', `Cannot ask to visit ${JSON.stringify(url)}: it is not a URL`)
  const { href } = new URL(url)
  const answer = await input.ask('elicitation/create', { mode: 'url', message, url: href }, { key })
  assertAccepted(answer.action, message)
}

function checkMessage(message: unknown): void {
  if (typeof message !== 'string')
    throw new McpError('Misuse', `Cannot ask the user: the first argument must be the question, not ${kindOf(message)}`)
}

/** Asks the client's model for a message. */
export async function sample(
  input: ClientInput,
  request: SamplingRequest,
  options: AskOptions | undefined,
): Promise<SamplingResult> {
  const key = questionKey('Cannot sample', options)
  const problem = wireShapeOf('CreateMessageRequestParams').check(request)
  if (problem)
    throw new McpError('Misuse', `Cannot sample: ${describeShapeProblem(problem)}; give { messages, maxTokens }`)
  return (await input.ask('sampling/createMessage', { ...request }, { key })) as unknown as SamplingResult
}

function assertAccepted(action: unknown, message: string): void {
  if (action !== 'accept') throw new McpError('Declined', `The user answered "${action}" to: ${message}`)
}
