import { type Fields, MissingClientCapability, RpcError, type SamplingRequest } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import type { ServerName } from '../act/server-name.ts'
import type { Grants } from '../inbox/grants.ts'
import { type Inbox, InboxError } from '../inbox/inbox.ts'
import type { Answer, QuestionKind } from '../inbox/question.ts'
import { ModelError } from '../model/model-error.ts'
import type { Models } from '../model/models.ts'
import { translateSampling } from '../model/sampling.ts'
import type { RuleScope } from '../policy/always-rule.ts'
import type { Verdict } from '../policy/policy.ts'
import type { LocalAnswers, ServerAsking } from '../relay/server-questions.ts'
import { hashOf } from '../text/json-hash.ts'
import { denied, unattended } from './apply-policy.ts'
import { type AskedActParts, askedAct } from './asked-act.ts'
import { recorded } from './record.ts'

/** Dependencies of sampling. */
export interface SampleParts extends AskedActParts {
  readonly models: Models
  readonly inbox: Inbox
  readonly grants: Grants
  readonly isUnattended: boolean
  always?(act: Act, scope: RuleScope): Promise<void>
}

/** The protocol's error code for a refusal by the user. */
const userRejected = -1
/**
 * Answers sampling requests, judged by the policy: with the model of the caller where it has one, unless a rule asks or
 * denies; else with one of the host, within the budget of the server, and with a person who sees the request before it
 * goes to the model and the answer before it goes to the server.
 */
export function sampler(parts: SampleParts): LocalAnswers['sample'] {
  return async (params, asked) => {
    const act = askedAct('sample', params, asked, parts)
    const until = asked.signal ?? new AbortController().signal
    // begun in this turn, so that all that a server asks for at once reaches the caller in one round
    const answering = asked.byCaller ? sample(act, asked, until, parts) : undefined
    answering?.catch(() => {})
    try {
      return await recorded(parts, act, { signal: until }, () => {
        until.throwIfAborted()
        return answering ?? sample(act, asked, until, parts)
      })
    } catch (error) {
      until.throwIfAborted()
      throw errorFor(error, act.server)
    }
  }
}

async function sample(
  asked: Act,
  { byCaller }: ServerAsking,
  signal: AbortSignal,
  parts: SampleParts,
): Promise<Fields> {
  parts.countAct(asked)
  const sampled: Sampling = byCaller ? ofCaller(asked, byCaller) : ofHost(asked, signal, parts)
  const verdict = parts.policy(asked).judge(asked)
  if (verdict.effect === 'deny') throw denied(asked, verdict)
  const act = verdict.effect === 'ask' ? await lookedOver(asked, sampled, verdict, signal, parts) : asked
  const result = await sampled.run(act)
  // the person's answer to the request may have become a rule meanwhile
  const { effect, why } = parts.policy(act).judge(act)
  const rule = parts.policy(act).reviewing(act)
  // a client that samples for itself shows the answers to its own person
  if ((effect !== 'ask' || byCaller) && rule === undefined) return result
  const wanted = rule ? `the rule review "${rule.text}" wants a person to see it first` : why
  return passed(act, result, wanted, signal, parts)
}

/** A model that answers a request, and its description for a person. */
interface Sampling {
  readonly model: string
  readonly provider: string
  run(act: Act): Promise<Fields>
}

function ofCaller({ principal }: Act, byCaller: (params: Fields) => Promise<Fields>): Sampling {
  return { model: 'its own model', provider: principal.name, run: ({ arguments: params }) => byCaller(params) }
}

function ofHost(asked: Act, signal: AbortSignal, { models }: SampleParts): Sampling {
  const model = models.choose(wishesOf(asked))
  return {
    model: model.name,
    provider: model.provider,
    async run(act) {
      const { request, answer } = translateSampling(act.arguments as unknown as SamplingRequest)
      const use = { spender: `server ${act.serverKey}`, budget: models.budgetOf(act.server), signal }
      return answer(await models.ask(model, request, use))
    },
  }
}

/** The request as a person lets it go to the model. */
async function lookedOver(
  act: Act,
  { model, provider }: Sampling,
  verdict: Verdict,
  signal: AbortSignal,
  parts: SampleParts,
): Promise<Act> {
  const detail = { request: act.arguments, model, provider }
  const answer = await ask({ act, kind: 'prompt', part: 'request', why: verdict.why, detail }, signal, parts)
  if (answer?.choice === 'refuse') throw refused('the request', answer)
  if (answer?.content === undefined) return act
  // an edited request is still one of this server, and a denied one stays denied
  const edited = { ...act, arguments: patched(act.arguments, answer.content) }
  const again = parts.policy(edited).judge(edited)
  if (again.effect === 'deny') throw denied(edited, again)
  return edited
}

/** The answer as a person lets it go to the server. */
async function passed(act: Act, result: Fields, why: string, signal: AbortSignal, parts: SampleParts): Promise<Fields> {
  const answer = await ask({ act, kind: 'result', part: 'answer', why, detail: { result } }, signal, parts)
  if (answer?.choice === 'refuse') throw refused('the answer', answer)
  return patched(result, answer?.content ?? {})
}

/** Applies the changes of a person; a member that is null now was removed. */
function patched(given: Fields, changes: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...given, ...changes }).filter(([, member]) => member !== null))
}

interface Asking {
  readonly act: Act
  readonly kind: QuestionKind
  readonly part: 'request' | 'answer'
  readonly why: string
  readonly detail: Fields
}

/** Asks a person, unless they said that it is right for this session; then there is no answer. */
async function ask(asking: Asking, signal: AbortSignal, parts: SampleParts): Promise<Answer | undefined> {
  const { act, kind, part, why, detail } = asking
  const { inbox, grants } = parts
  const { server, principal, project, target } = act
  const scope = { principalId: principal.id, project, server, target: `${target} ${part}`, definition: undefined }
  if (grants.permits(scope)) return undefined
  if (parts.isUnattended) throw unattended(parts.policy(act), act)
  const { question, settled } = await inbox.ask({
    kind,
    key: hashOf([target, part, act.id]),
    server,
    target,
    principal: principal.name,
    principalId: principal.id,
    project,
    why,
    detail: { ...detail, act: act.id },
    by: 'local',
  })
  const withdraw = (): void => void inbox.withdraw(question.id, 'the server does not need it any more')
  signal.addEventListener('abort', withdraw, { once: true })
  if (signal.aborted) withdraw()
  const settlement = await settled
  signal.removeEventListener('abort', withdraw)
  signal.throwIfAborted()
  if (settlement.state !== 'answered') throw new Refused(settlement.state, `Nobody let ${part} pass: ${settlement.why}`)
  const { answer } = settlement
  if (answer.choice === 'session' || answer.choice === 'always') await grants.grant(scope, { isLocal: true })
  if (answer.choice === 'always') await parts.always?.(act, { clients: 'this' })
  return answer
}

function refused(what: string, { sentence }: Answer): Refused {
  return new Refused('refused', `A person refused ${what}${sentence ? `: ${sentence}` : ''}`)
}

function wishesOf({ arguments: { modelPreferences } }: Act) {
  const isTable = typeof modelPreferences === 'object' && modelPreferences !== null
  return isTable ? (modelPreferences as NonNullable<SamplingRequest['modelPreferences']>) : undefined
}

/** Error for the server: the cause of the refusal, and what could be done about it. */
function errorFor(error: unknown, server: ServerName): unknown {
  const cannot = `Cannot sample for server "${server}"`
  if (error instanceof Refused || error instanceof InboxError)
    return new RpcError(userRejected, `${cannot}: ${error.message}`)
  if (!(error instanceof ModelError)) return error
  if (error.code === 'NoModel') {
    const fix = 'configure a model, or call from a client that can sample'
    const message = `${cannot}: the caller cannot, and the host has no model; ${fix}`
    return new RpcError(MissingClientCapability, message, { requiredCapabilities: { sampling: {} } })
  }
  const data = { code: error.code, ...(error.retryAt !== undefined && { retryAt: error.retryAt }) }
  return new RpcError(-32603, `${cannot}: ${error.message}`, data)
}
