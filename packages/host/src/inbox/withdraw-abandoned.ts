import type { Inbox } from './inbox.ts'
import type { QuestionKind } from './question.ts'

/** What only the process that asked can use the answer to: a call that waits for it, or a page that leads back to it. */
const ofOneProcess: ReadonlySet<QuestionKind> = new Set(['form', 'page', 'prompt', 'result', 'sign-in'])

/** Withdraws questions of an earlier process that nobody waits for any more. */
export async function withdrawAbandoned(inbox: Inbox): Promise<void> {
  const stale = inbox.open.filter(({ kind }) => ofOneProcess.has(kind))
  await Promise.all(stale.map(({ id }) => inbox.withdraw(id, 'the host was restarted')))
}
