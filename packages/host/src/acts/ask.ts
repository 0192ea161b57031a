import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { Refused } from '../act/refused.ts'
import { approvalKey } from '../inbox/approval-key.ts'
import { type Asked, type Inbox, InboxError } from '../inbox/inbox.ts'
import type { Answer, Settlement } from '../inbox/question.ts'
import type { GivenAnswer } from '../inbox/stored-questions.ts'
import type { Verdict } from '../policy/policy.ts'
import type { AskPerson } from './apply-policy.ts'
import { askCaller } from './ask-caller.ts'
import { type AskOptions, type AskParts, askDefaults } from './ask-parts.ts'
import { noteDecision } from './decision-of.ts'
import type { ActHandler, Doing } from './doing.ts'
import { findGrant, grantAnswer, grantLater, withdrawWhenGranted } from './grant-answer.ts'
import { HeldCalls } from './held-calls.ts'
import { holdFor, tellWaiting } from './hold-time.ts'

/** Asks a person whether an act may be done: in the caller where a person sits in front of it, and at every local door. */
export function askPerson(parts: AskParts, options: AskOptions = {}): AskPerson {
  const settings = { ...askDefaults, ...options }
  const held = new HeldCalls(parts.inbox)
  return async (doing, verdict, next) => {
    const { act } = doing
    const isGranted = () => findGrant(act, verdict, parts)
    if (isGranted()) return next(doing)
    const command = parts.commandOf(act)
    const key = keyOf(act, verdict, command, parts)
    // looked for and asked about in one go: an answer that comes in between would be asked for again
    const given = parts.inbox.hasAnswer(key) ? await parts.inbox.take(key) : undefined
    if (given) return proceed(given, doing, next, parts, settings)
    if (parts.unattended) throw parts.unattended(act)
    const asked = await question(doing, verdict, key, parts)
    withdrawWhenGranted(asked, isGranted, parts)
    const holdMs = doing.holdMs ?? options.holdMs ?? holdFor(act.principal.name, settings.holdMs)
    const waited = answered(asked, doing, verdict, parts.inbox, { ...settings, holdMs })
    const settlement = await held.during(asked.question.id, doing.call, waited).catch((error) => {
      grantLater(asked, doing, parts, settings)
      throw error
    })
    // another answer covers this call as well
    if (settlement?.state === 'withdrawn' && isGranted()) return next(doing)
    noteDecision(act, { question: asked.question.id })
    if (settlement === undefined) {
      grantLater(asked, doing, parts, settings)
      throw waiting(asked)
    }
    if (settlement.state !== 'answered') {
      throw new Refused(settlement.state, `Nobody allowed this call: ${settlement.why}`)
    }
    if (parts.commandOf(act) !== command) {
      throw new Refused('changed', `The server "${act.server}" is another one since a person was asked; call again`)
    }
    // an approval is good once, also for the call that waited for it
    const mine = await parts.inbox.take(key)
    if (!mine) return shared(settlement.answer, doing, next)
    return proceed(mine, doing, next, parts, settings)
  }
}

/** Applies an answer to the second of two calls with the same arguments, which shared one question. */
function shared({ choice, sentence, content }: Answer, doing: Doing, next: ActHandler): Promise<Fields> {
  if (choice === 'refuse') throw refusal(sentence)
  if (choice === 'once' || content || doing.act.class === 'destroys')
    throw new Refused('used', 'The approval was used by another call with the same arguments; ask again')
  return next(doing)
}

function refusal(sentence: string | undefined): Refused {
  return new Refused('refused', `A person refused this call${sentence ? `: ${sentence}` : ''}`)
}

async function question(doing: Doing, verdict: Verdict, key: string, { inbox, preview }: AskParts): Promise<Asked> {
  const { act } = doing
  const { server, target, principal, project } = act
  // data that could leave with the call could leave with its preview, unless its server gave them
  const would = verdict.taint?.isSource === false ? undefined : await preview?.(doing)
  try {
    return await inbox.ask({
      kind: 'call',
      key,
      server,
      target,
      principal: principal.name,
      principalId: principal.id,
      project,
      why: verdict.why,
      detail: {
        kind: act.kind,
        arguments: act.arguments,
        class: act.class,
        act: act.id,
        ...(would && { preview: would }),
      },
      by: verdict.by,
    })
  } catch (error) {
    if (!(error instanceof InboxError)) throw error
    throw new Refused('limited', error.message)
  }
}

/** The answer, or nothing when it takes longer than the caller can be held. */
async function answered(
  asked: Asked,
  doing: Doing,
  verdict: Verdict,
  inbox: Inbox,
  { holdMs, progressMs }: Required<AskOptions>,
): Promise<Settlement | undefined> {
  const { act, call } = doing
  const mayAsk =
    act.principal.isApprover && verdict.by !== 'local' && !inbox.needsProof(asked.question, { choice: 'once' })
  const isAsked = mayAsk && askCaller(asked.question, doing, inbox)
  const limits: Promise<undefined>[] = [aborted(call.signal)]
  let timer: NodeJS.Timeout | undefined
  let stopTelling = (): void => {}
  const why = `Waits for a person's approval (question ${asked.question.id})`
  const isTask = !isAsked && (await call.becomeTask())
  if (isTask) call.status(why)
  else if (!isAsked) {
    limits.push(new Promise((resolve) => (timer = setTimeout(() => resolve(undefined), holdMs))))
    stopTelling = tellWaiting(call, why, progressMs)
  }
  try {
    return await Promise.race([asked.settled, ...limits])
  } finally {
    clearTimeout(timer)
    stopTelling()
    call.signal.throwIfAborted()
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
}

async function proceed(
  { question, answer, isLocal }: GivenAnswer,
  doing: Doing,
  next: ActHandler,
  parts: AskParts,
  settings: Required<AskOptions>,
): Promise<Fields> {
  const { act } = doing
  noteDecision(act, { question, arguments: answer.content })
  if (answer.choice === 'refuse') throw refusal(answer.sentence)
  await grantAnswer({ question, answer, isLocal }, doing, parts, settings)
  if (!answer.content) return next(doing)
  return edited(await next(withArguments(doing, answer.content)), answer.content)
}

function withArguments(doing: Doing, args: Fields): Doing {
  const { act, params } = doing
  return { ...doing, act: { ...act, arguments: args }, params: { ...params, arguments: args } }
}

/** Tells the caller, in words and in data, that other arguments ran than it sent. */
function edited(result: Fields, args: Fields): Fields {
  const text = `A person changed the arguments before this call ran: ${JSON.stringify(args)}`
  const content = Array.isArray(result.content) ? result.content : []
  const meta = { ...(result._meta as Fields | undefined), 'dev.trunkline/edited-arguments': args }
  return { ...result, content: [{ type: 'text', text }, ...content], _meta: meta }
}

/** Refusal for a caller that cannot be held any longer; it never says how to approve. */
function waiting({ question: { id } }: Asked): Refused {
  const text =
    `This call waits for a person's approval (question ${id}). ` +
    'Call again with the same arguments to collect the result once it is approved.'
  return new Refused('waiting', text, undefined, { 'dev.trunkline/waiting-for-approval': id })
}

function keyOf(act: Act, { taint }: Verdict, command: string, { policyVersion }: AskParts): string {
  const { server, target, definition, project } = act
  return approvalKey({
    principalId: act.principal.id,
    project,
    server,
    command,
    target,
    definition,
    arguments: act.arguments,
    policyVersion: policyVersion(act),
    // an approval given before something else was read does not cover that
    ...(taint && { tainted: taint.sources }),
  })
}
