import type { Inbox } from './inbox.ts'
import type { QuestionKind } from './question.ts'

/** Kinds whose answer only the asking process can use: a call waits for it, or a page leads back to it. */
const ofOneProcess: ReadonlySet<QuestionKind> = new Set(['form', 'page', 'prompt', 'result', 'sign-in'])

/** Withdraws questions that only an earlier process waited for. */
export async function withdrawAbandoned(inbox: Inbox): Promise<void> {
  const stale = inbox.open.filter(({ kind }) => ofOneProcess.has(kind))
  await Promise.all(stale.map(({ id }) => inbox.withdraw(id, 'the host was restarted')))
}
