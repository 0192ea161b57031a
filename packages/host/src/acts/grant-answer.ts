import type { Act } from '../act/act.ts'
import { type Breadth, breadths, type GrantedScope, type GrantFilter, type GrantScope } from '../inbox/grants.ts'
import type { Asked } from '../inbox/inbox.ts'
import type { Answer } from '../inbox/question.ts'
import type { GivenAnswer } from '../inbox/stored-questions.ts'
import type { Verdict } from '../policy/policy.ts'
import type { AskOptions, AskParts } from './ask-parts.ts'
import { noteDecision } from './decision-of.ts'
import type { Doing } from './doing.ts'

/** True when an earlier answer permits an act; then the act names the question that was answered. */
export function findGrant(act: Act, verdict: Verdict, { grants, commandOf }: AskParts): boolean {
  if (verdict.taint || act.class === 'destroys') return false
  const filter: GrantFilter = {
    localOnly: verdict.by === 'local',
    maxBreadth: maxBreadthFor(act, verdict),
    command: () => commandOf(act),
  }
  const found = grants.find(scopeOf(act), filter)
  if (found?.question !== undefined) noteDecision(act, { question: found.question })
  return found !== undefined
}

/** A rule that asks for exactly this is not answered by an answer about something else; other tools are covered if they write. */
function maxBreadthFor(act: Act, { rule }: Verdict): Breadth {
  if (rule !== 'default') return breadths.asked
  return act.class === 'writes' ? breadths.tool : breadths.client
}

/** Makes an answer hold for as long and for as much as it says. */
export async function grantAnswer(
  { answer, isLocal, question }: GivenAnswer,
  { act, call }: Doing,
  { always, grants, commandOf }: AskParts,
  { sessionMs, slidingMs, projectMs }: Required<AskOptions>,
): Promise<void> {
  const { choice, content, covers, rule } = answer
  if (choice === 'once' || choice === 'refuse') return
  if (choice === 'always' && always) {
    const clients = covers?.clients ? 'all' : 'this'
    return always(content ? { ...act, arguments: content } : act, { clients, ...rule })
  }
  if (act.class === 'destroys') return
  const scopes = scopesOf(act, answer)
  const isInProject = choice === 'project' && act.project !== undefined
  const sliding = isInProject || call.isStateless
  await grants.grant(scopes, {
    holdsMs: isInProject ? projectMs : sliding ? slidingMs : sessionMs,
    sliding,
    isLocal,
    choice: isInProject ? 'project' : 'session',
    question,
    // an answer that is wider than one tool for a session is for the program that was accepted then
    ...((isInProject || covers) && { command: commandOf(act) }),
  })
}

const heldLater = new WeakSet<Asked>()

/** Makes an answer hold that comes when the caller has gone, also for a call with other arguments. */
export function grantLater(asked: Asked, doing: Doing, parts: AskParts, settings: Required<AskOptions>): void {
  if (heldLater.has(asked)) return
  heldLater.add(asked)
  void asked.settled
    .then((settlement) => {
      if (settlement.state !== 'answered') return undefined
      return grantAnswer({ ...settlement, question: asked.question.id }, doing, parts, settings)
    })
    // the answer itself is kept, and holds when the caller comes for it
    .catch(() => {})
}

const watched = new WeakSet<Asked>()

/** Withdraws a question as soon as the answer to another one covers it. */
export function withdrawWhenGranted(asked: Asked, isGranted: () => boolean, { grants, inbox }: AskParts): void {
  if (watched.has(asked)) return
  watched.add(asked)
  const stop = grants.onGranted(() => {
    if (isGranted()) void inbox.withdraw(asked.question.id, 'another answer covers it').catch(() => {})
  })
  void asked.settled.then(stop)
}

function scopeOf({ principal, project, server, target, definition }: Act): GrantScope {
  return { principalId: principal.id, project, server, target, definition }
}

/** Everything that an answer permits: the tool and client of the question, and each one that it covers besides. */
function scopesOf(act: Act, { covers }: Answer): readonly GrantedScope[] {
  const asked = scopeOf(act)
  const { tools = [], clients = [] } = covers ?? {}
  const others = tools.filter(({ name }) => name !== act.target)
  const ids = new Set([asked.principalId, ...clients.map(({ id }) => id)])
  return [...ids].flatMap((principalId): GrantedScope[] => [
    { ...asked, principalId, breadth: principalId === asked.principalId ? breadths.asked : breadths.client },
    ...others.map(({ name: target, definition }) => ({
      ...asked,
      principalId,
      target,
      definition,
      breadth: breadths.tool,
    })),
  ])
}
